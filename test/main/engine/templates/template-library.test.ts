import { afterAll, expect, it } from 'vitest';
import type { Clock } from '#shared/lib/clock.ts';
import { systemClock } from '#main/shell/system.ts';
import { TemplateLibrary } from '#main/engine/templates/template-library.ts';
import { TemplateThread } from '#main/engine/templates/template-thread.ts';
import { faultLog } from '../../../support/fault-log.ts';

const thread = new TemplateThread(faultLog);
afterAll(() => thread.end());

const own = {
  id: 'a',
  name: 'Own',
  language: 'de',
  category: null,
  fileName: 'Own.docx',
  sizeBytes: 1,
  addedAt: '2026-11-27T10:00:00Z',
  sha256: '',
  blobId: 'b',
  version: 1,
} as const;
const workspace = {
  work: { templates: { list: () => [own], get: () => own } },
  workFiles: {} as never,
};

it('a folder of the office that does not answer holds up no other template, and is named', async () => {
  const due: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after(_, task) {
      due.push(task);
      return () => due.splice(due.indexOf(task), 1);
    },
  };
  const answer = Promise.withResolvers<string[]>();
  const library = new TemplateLibrary({
    thread,
    clock,
    folder: () => '/share',
    language: () => 'de',
    readFolder: (folder) => (folder === '/share' ? answer.promise : Promise.resolve([])),
  });
  const listing = library.list(workspace);
  await expect.poll(() => due.length).toBe(1);
  due[0]?.();
  expect((await listing).map(({ name }) => name)).toEqual(['Own']);
  const looking = library.folder();
  await expect.poll(() => due.length).toBe(1);
  due[0]?.();
  expect((await looking).folderProblem).toMatchObject({ code: 'template_folder_unreachable' });
  answer.resolve(['Office.docx']);
  expect((await library.list(workspace)).map(({ name }) => name)).toEqual(['Own', 'Office']);
});
