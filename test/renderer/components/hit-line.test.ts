import { expect, test } from 'vitest';
import HitLine from '#renderer/components/list/HitLine.vue';
import { mountView } from '../fixtures/mount-view.ts';

test.each([
  [{ field: 'name', section: 'workshop' }, 'Werkstatt, Name: Garage Frei'],
  [{ field: 'name', section: 'insured' }, 'Versicherte Person, Name: Garage Frei'],
  [{ field: 'name' }, 'Name: Garage Frei'],
  [{ field: 'name', section: 'somethingNew' }, 'Name: Garage Frei'],
  [{ field: 'insurer' }, 'Versicherer: Garage Frei'],
])('a hit says whose it is: %j', (place, text) => {
  const view = mountView(HitLine, {
    props: { q: 'frei', hits: [{ ...place, text: 'Garage Frei' }] },
  });
  expect(view.text()).toBe(text);
});
