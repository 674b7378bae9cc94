import { expect, it } from 'vitest';
import type { Picture } from '../../../renderer/telephone/outbox.ts';
import { summaryOf } from '../../../renderer/telephone/summary.ts';

const picture = (state: Picture['state'], isMarked = true): Picture => ({
  id: '0',
  session: '',
  report: null,
  fileName: '1.jpg',
  sizeBytes: 10,
  takenAt: '2026-11-28T09:10:00',
  group: null,
  caption: '',
  state,
  isMarked,
  thumb: null,
});

it.each<[string, Picture[], ReturnType<typeof summaryOf>]>([
  ['nothing', [], { stored: 0, waiting: 0, refused: 0, isAll: false }],
  ['all', [picture('stored')], { stored: 1, waiting: 0, refused: 0, isAll: true }],
  [
    'one that waits',
    [picture('stored'), picture('waiting')],
    { stored: 1, waiting: 1, refused: 0, isAll: false },
  ],
  [
    'refused ones',
    [picture('stored'), picture('refused'), picture('unreadable')],
    { stored: 1, waiting: 0, refused: 2, isAll: false },
  ],
  [
    'a caption that is on its way',
    [picture('stored', false)],
    { stored: 1, waiting: 0, refused: 0, isAll: false },
  ],
])('says of %s only what is so', (_name, pictures, summary) => {
  expect(summaryOf(pictures)).toEqual(summary);
});
