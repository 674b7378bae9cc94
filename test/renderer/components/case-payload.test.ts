import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categories } from '#shared/api/case.ts';
import { payloadSections } from '#shared/payload/fields.ts';
import CasePayload from '#renderer/components/case/CasePayload.vue';
import { viewPayload } from '#renderer/composables/payload-view.ts';
import { createFakeEngine } from '../fixtures/fake-engine.ts';
import { mountView } from '../fixtures/mount-view.ts';

const practice = [...createFakeEngine({ count: 40, today: '2026-06-15' }).cases.values()];
const keys = [
  ...new Set(
    Object.values(payloadSections).flatMap((sections) =>
      sections.flatMap(({ list, fields }) => [
        ...(list ? [list] : []),
        ...fields.flatMap(({ paths }) => paths.flatMap((path) => path.split('.'))),
      ]),
    ),
  ),
];
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), tie('any'), { maxKeys: 6 }),
  ),
})).any;
const payloads = fc
  .dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), value, { maxKeys: 20 })
  .map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>);

/** Every text and number in it, but the empty ones. */
function leaves(input: unknown): string[] {
  if (typeof input === 'string') return input.trim() === '' ? [] : [input.trim()];
  if (typeof input === 'number' || typeof input === 'boolean') return [String(input)];
  return typeof input === 'object' && input !== null ? Object.values(input).flatMap(leaves) : [];
}

test('any payload is laid out, and nothing of it is hidden', () => {
  fc.assert(
    fc.property(fc.constantFrom(...categories, 'boat'), payloads, (category, payload) => {
      const view = viewPayload(category, payload);
      const shown = [
        ...view.blocks.flatMap(({ lines }) =>
          lines.map(({ text, currency }) => `${text} ${currency ?? ''}`),
        ),
        ...view.others.map(({ text }) => text),
      ].join('\n');
      // A currency without an amount says nothing.
      const told = { ...payload, estimatedCurrency: null };
      for (const leaf of leaves(told))
        expect(shown.includes(leaf) || shown.includes(JSON.stringify(leaf).slice(1, -1))).toBe(
          true,
        );
    }),
    { numRuns: 400 },
  );
});

test('the practice payloads of every category are fully described', () => {
  for (const { category, payload } of practice)
    expect(viewPayload(category, payload ?? {}).others).toEqual([]);
  expect(new Set(practice.map(({ category }) => category)).size).toBe(4);
});

test('members of another shape are named, not dropped', () => {
  const view = viewPayload('vehicle', {
    insured: { name: { first: 'A' }, hobby: 'sailing' },
    estimatedAmount: 'about 500',
    extra: { deep: [1, 2] },
    insuredPersons: 'none',
  });
  expect(view.blocks.flatMap(({ lines }) => lines)).toContainEqual({
    key: 'name',
    kind: 'unexpected',
    text: '{"first":"A"}',
  });
  expect(view.blocks.flatMap(({ lines }) => lines)).toContainEqual(
    expect.objectContaining({ key: 'estimatedAmount', kind: 'unexpected' }),
  );
  expect(view.others).toEqual([
    { path: 'insured.hobby', text: 'sailing' },
    { path: 'extra.deep', text: '[1,2]' },
    { path: 'insuredPersons', text: 'none' },
  ]);
});

test('a person reads labels, words and Swiss formats; phone and mail are links', () => {
  const view = mountView(CasePayload, {
    props: {
      category: 'vehicle',
      payloadJson: '',
      payload: {
        claimInsurance: 'liability',
        claimType: 'hail_damage',
        incidentDate: '2026-03-09',
        estimatedAmount: '12345.6',
        estimatedCurrency: 'EUR',
        insured: { name: 'Anna Muster', phone: '+41 79 123 45 67', email: 'a@b.ch' },
      },
    },
  });
  const text = view.text().replaceAll('\u00a0', ' ');
  for (const shown of ['Haftpflicht', 'Hagel', '09.03.2026', 'EUR 12’345.60', 'Anna Muster'])
    expect(text).toContain(shown);
  expect(view.find('a[href="tel:+41791234567"]').exists()).toBe(true);
  expect(view.find('a[href="mailto:a%40b.ch"]').exists()).toBe(true);
});

test.each([
  ['500', { kind: 'amount', text: '500', currency: 'CHF' }],
  ['10 %, mindestens 500', { kind: 'text', text: '10 %, mindestens 500' }],
])('an excess of %j reads as %j', (deductible, line) => {
  const { blocks } = viewPayload('vehicle', { insured: { deductible } });
  expect(blocks.flatMap(({ lines }) => lines)).toEqual([{ key: 'deductible', ...line }]);
});

test('a payload that is no object is shown as it came', () => {
  const view = mountView(CasePayload, {
    props: { category: 'vehicle', payload: null, payloadJson: '[1, "two"' },
  });
  expect(view.text()).toContain('[1, "two"');
});
