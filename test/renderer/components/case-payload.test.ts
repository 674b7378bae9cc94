import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categories } from '#shared/api/case-words.ts';
import { payloadSections } from '#shared/payload/fields.ts';
import CasePayload from '#renderer/components/case/CasePayload.vue';
import { mailtoOf, telOf } from '#renderer/lib/contact-links.ts';
import { viewPayload } from '#shared/payload/view-payload.ts';
import { smokeOrLong } from '../../support/long.ts';
import { createFakeEngine } from '../fixtures/fake-engine.ts';
import { mountView } from '../fixtures/mount-view.ts';
import { digestPayload } from '#shared/payload/digest.ts';
import { caseHints } from '#shared/payload/hints.ts';
import CaseFacts from '#renderer/pages/case/CaseFacts.vue';
import CaseHeader from '#renderer/pages/case/CaseHeader.vue';
import CaseInsurer from '#renderer/pages/case/CaseInsurer.vue';
import CaseHints from '#renderer/components/case/CaseHints.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

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
const key = fc.oneof(fc.constantFrom(...keys), fc.string());
const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<img src=x onerror=alert(1)>', 'javascript:alert(1)', '{n}', '@:app.close'),
    fc.constantFrom('\u202egnp.exe', '2026-02-31', '-5', '1e400', '\0'),
    fc.double(),
    fc.constantFrom(null, true, false),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 6 }),
  ),
}));
/** A payload that does not match its category, or contains code that would run. */
const payloads = fc
  .dictionary(key, any, { maxKeys: 20 })
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
      // A currency without an amount has no meaning.
      const shownPayload = { ...payload, estimatedCurrency: null };
      for (const leaf of leaves(shownPayload))
        expect(shown.includes(leaf) || shown.includes(JSON.stringify(leaf).slice(1, -1))).toBe(
          true,
        );
    }),
    { numRuns: smokeOrLong(150, 2000) },
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

test('the user reads labels, words and Swiss formats; phone and mail are links', () => {
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
  expect(view.find('a[href="mailto:a@b.ch"]').exists()).toBe(true);
});

test('a person is one line with name, address, phone and mail, which need no labels', () => {
  const insured = {
    name: 'Anna Muster',
    address: 'Seestrasse 1',
    postalCode: '8002',
    city: 'Zürich',
    phone: '+41 79 123 45 67',
    email: 'a@b.ch',
    deductible: '500',
  };
  const view = mountView(CasePayload, {
    props: { category: 'vehicle', payloadJson: '', payload: { insured } },
  });
  const line = view.get('.block p').text().replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');
  expect(line).toBe('Anna Muster Seestrasse 1, 8002 Zürich +41 79 123 45 67 a@b.ch');
  expect(view.findAll('dt').map((label) => label.text())).toEqual(['Selbstbehalt']);
});

test.each([
  [telOf('+41 44 268 12 12'), 'tel:+41442681212'],
  [telOf('044/268;ext=9*#'), 'tel:0442689'],
  [mailtoOf('a.b+c@d.ch'), 'mailto:a.b%2Bc@d.ch'],
  [mailtoOf('a@b.ch?bcc=c@d.ch&body=x'), 'mailto:a@b.ch%3Fbcc%3Dc%40d.ch%26body%3Dx'],
  [mailtoOf('a@b.ch,c@d.ch'), 'mailto:a@b.ch%2Cc%40d.ch'],
])('%s leads to one contact', (link, expected) => {
  expect(link).toBe(expected);
});

test.each([
  ['500', { kind: 'amount', text: '500', currency: 'CHF' }],
  ['10 %, mindestens 500', { kind: 'text', text: '10 %, mindestens 500' }],
])('an excess of %j reads as %j', (deductible, line) => {
  const { blocks } = viewPayload('vehicle', { insured: { deductible } });
  expect(blocks.flatMap(({ lines }) => lines)).toEqual([{ key: 'deductible', ...line }]);
});

test('the JSON that came is under the technical details, and read only once these are opened', async () => {
  const payload = { insured: { name: 'Anna Muster' } };
  const view = mountView(CasePayload, {
    props: { category: 'vehicle', payload, payloadJson: '' },
  });
  expect(view.find('button').exists()).toBe(false);
  expect(view.get('details summary').text()).toBe('Technische Angaben');
  expect(view.find('pre').exists()).toBe(false);
  const details = view.get('details');
  details.element.open = true;
  await details.trigger('toggle');
  expect(JSON.parse(view.get('pre').text())).toEqual(payload);
});

test('a payload that is no object is shown as it came', () => {
  const view = mountView(CasePayload, {
    props: { category: 'vehicle', payload: null, payloadJson: '[1, "two"' },
  });
  expect(view.text()).toContain('[1, "two"');
});

/** A case whose values do not match its category: shown, never a blank page. */
const desk = createDesk({ count: 5 });
const [found] = desk.cases.values();
if (!found) throw new Error('no case was made');
const ordinary = found;

test('a case with any payload is shown, and nothing of the payload runs', () => {
  fc.assert(
    fc.property(fc.constantFrom(...categories, 'boat'), payloads, (category, payload) => {
      const detail = {
        ...ordinary,
        ...digestPayload(category, payload),
        category,
        status: 'SomethingNew',
        payload,
        payloadJson: JSON.stringify(payload),
      };
      const views = [
        mountPage(CaseInsurer, desk, { detail }).wrapper,
        mountPage(CaseFacts, desk, { detail }).wrapper,
        mountPage(CaseHeader, desk, { detail, hasStates: true }).wrapper,
        mountView(CaseHints, {
          props: { category, hints: caseHints({ ...detail, today: '2026-06-15' }) },
        }),
        mountView(CasePayload, {
          props: { category, payload, payloadJson: detail.payloadJson },
        }),
      ];
      try {
        expect(views[0]?.text()).toContain(detail.externalKey);
        expect(views.at(-1)?.text()).toContain('Angaben des Versicherers');
        for (const view of views) {
          expect(view.find('img[src=x]').exists()).toBe(false);
          for (const link of view.findAll('a'))
            expect(link.attributes('href')).toMatch(
              /^(tel:|mailto:|https:\/\/map\.geo\.admin\.ch\/)/,
            );
        }
      } finally {
        for (const view of views) view.unmount();
      }
    }),
    { numRuns: smokeOrLong(20, 200) },
  );
});
