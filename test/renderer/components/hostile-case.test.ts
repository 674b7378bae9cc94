import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categories } from '#shared/api/case.ts';
import { digestPayload } from '#shared/payload/digest.ts';
import { payloadSections } from '#shared/payload/fields.ts';
import { caseHints } from '#shared/payload/hints.ts';
import CaseHeader from '#renderer/pages/case/CaseHeader.vue';
import CaseHints from '#renderer/components/case/CaseHints.vue';
import CasePayload from '#renderer/components/case/CasePayload.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';
import { mountView } from '../fixtures/mount-view.ts';

/** A case whose values are not what its category says: shown, never a blank page. */
const desk = createDesk({ count: 5 });
const [found] = desk.cases.values();
if (!found) throw new Error('no case was made');
const ordinary = found;

const keys = [
  ...new Set(
    Object.values(payloadSections)
      .flat()
      .flatMap(({ list, fields }) => [
        ...(list ? [list] : []),
        ...fields.flatMap(({ paths }) => paths.flatMap((path) => path.split('.'))),
      ]),
  ),
];
const key = fc.oneof(fc.constantFrom(...keys), fc.string());
const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<img src=x onerror=alert(1)>', 'javascript:alert(1)', '{n}', '@:app.close'),
    fc.constantFrom('\u202egnp.exe', '2026-02-31', '-5', '1e400', '\0'),
    fc.double(),
    fc.constantFrom(null, true, false),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 5 }),
  ),
}));
const payloads = fc
  .dictionary(key, any, { minKeys: 1, maxKeys: 10 })
  .map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>);

test('whatever a payload holds, its case is shown and nothing of it runs', () => {
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
        mountPage(CaseHeader, desk, { detail }).wrapper,
        mountView(CaseHints, { props: { hints: caseHints({ ...detail, today: '2026-06-15' }) } }),
        mountView(CasePayload, {
          props: { category, payload, payloadJson: detail.payloadJson },
        }),
      ];
      try {
        expect(views[0]?.text()).toContain(detail.externalKey);
        expect(views[2]?.text()).toContain('Angaben des Versicherers');
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
    { numRuns: 40 },
  );
});
