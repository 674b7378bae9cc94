import { expect, it } from 'vitest';
import { sortKey, visibleInput } from '#main/engine/cache/case-records.ts';
import { visibleText } from '#shared/lib/visible-text.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

it('a case comes back with every value as the server sent it, and its creation in UTC', () => {
  const cache = openTestCache();
  const { payloadJson, ...sent } = sampleCase(1, {
    costEstimateRappen: 12_050,
    approvedRappen: 0,
    archiveState: true,
    expertComment: 'Beule',
    createdAt: '2026-01-01T01:30:00+02:00',
    updatedAt: '2026-01-02T00:00:00Z',
    payloadJson: JSON.stringify({
      policyNumber: 'P-1',
      claimType: 'collision',
      inspectionDate: '2026-03-04',
      insured: { name: 'Zoé', licensePlate: 'ZH 1', carMake: 'Skoda' },
      location: { postalCode: '8630', city: 'Rüti' },
    }),
  });
  cache.cases.upsert([{ ...sent, payloadJson }, sampleCase(2)]);
  expect(cache.cases.find(sent.id)).toEqual({
    ...sent,
    createdAt: '2025-12-31T23:30:00.000Z',
    policyNumber: 'P-1',
    claimType: 'collision',
    inspectionType: expect.any(String) as string,
    inspectionDate: '2026-03-04',
    incidentDate: null,
    partyName: 'Zoé',
    place: '8630 Rüti',
    postalCode: '8630',
    licensePlate: 'ZH 1',
    subject: 'Skoda',
    goneReason: null,
    documentCount: null,
    documentsOnLaptop: 0,
  });
  cache.documents.replaceList(sent.id, [], { listedAt: sent.createdAt, lastChangedAt: '' });
  expect(cache.cases.find(sent.id)?.documentCount).toBe(0);
  expect(cache.cases.find(sampleCase(2).id)).toMatchObject({
    costEstimateRappen: null,
    approvedRappen: null,
    archiveState: false,
    hailDriveInAccepted: false,
    inspectionDate: null,
    subject: '',
  });
});

it('the texts of a case are as they may be shown, and its other values as they were', () => {
  const hidden = 'a\u202eb\u0000c';
  const shown = visibleText(hidden);
  expect(shown).not.toBe(hidden);
  const input = sampleCase(1, {
    status: hidden,
    externalKey: hidden,
    category: hidden,
    expertComment: hidden,
    costEstimateRappen: 100,
    archiveState: true,
    payloadJson: JSON.stringify(hidden),
    insurer: { name: hidden, responsible: { name: hidden, email: hidden, phone: hidden } },
  });
  expect(visibleInput(input)).toEqual({
    ...input,
    status: shown,
    externalKey: shown,
    category: shown,
    expertComment: shown,
    insurer: { name: shown, responsible: { name: shown, email: shown, phone: shown } },
  });
});

it('a case is found by each identifier without its gaps, and by each word around it', () => {
  const cache = openTestCache();
  cache.cases.upsert([
    sampleCase(1, {
      externalKey: 'SF 77-1',
      expertComment: 'Beule',
      insurer: { name: 'Alpina', responsible: { name: 'Berta', email: '', phone: '' } },
      payloadJson: JSON.stringify({
        policyNumber: 'P.88.2',
        insured: { name: 'Müller', licensePlate: 'ZH 99 3' },
      }),
    }),
    sampleCase(2),
  ]);
  const found = (q: string) => cache.list({ q }).items.map(({ id }) => id);
  const whole = ['sf771', 'p882', 'zh993', 'beule', 'alpina', 'berta', 'muller', '77', '88', '99'];
  for (const q of whole) expect([q, found(q)]).toEqual([q, [sampleCase(1).id]]);
  // The identifiers are not joined to each other.
  for (const q of ['sf771zh993', 'zh993p882', 'sf771p']) expect(found(q)).toEqual([]);
});

it.each([
  ['  Élodie ', 'elodie'],
  [`${' '.repeat(300)}Zoé`, 'zoe'],
  ['   ', null],
  ['', null],
  ['\u0301', null],
  [`${'x'.repeat(59)}ÄB`, `${'x'.repeat(59)}a`],
  [`\u0301 ${'y'.repeat(70)}`, 'y'.repeat(60)],
])('the text %j is sorted as %j', (text, key) => {
  expect(sortKey(text)).toBe(key);
});

it.each([
  ['partyName', (name: string) => ({ insured: { name } })],
  ['subject', (carMake: string) => ({ insured: { carMake } })],
  ['licensePlate', (licensePlate: string) => ({ insured: { licensePlate } })],
  ['place', (city: string) => ({ location: { city } })],
  ['policyNumber', (policyNumber: string) => ({ policyNumber })],
] as const)(
  'a list by %s has the order of the alphabet, and the empty ones last',
  (sort, payload) => {
    const cache = openTestCache();
    const texts = ['Zoé', '', 'Élodie', 'anna', 'Beat'];
    cache.cases.upsert(
      texts.map((text, number) =>
        sampleCase(number, { payloadJson: JSON.stringify(payload(text)) }),
      ),
    );
    const inOrder = (descending: boolean) =>
      cache.list({ sort, descending }).items.map((found) => found[sort]);
    expect(inOrder(false)).toEqual(['anna', 'Beat', 'Élodie', 'Zoé', '']);
    expect(inOrder(true)).toEqual(['Zoé', 'Élodie', 'Beat', 'anna', '']);
  },
);

it('a list has the insurers in the order of the alphabet, and names their people so', () => {
  const cache = openTestCache();
  const names = ['Zoé', 'Élodie', 'anna'];
  cache.cases.upsert(
    names.map((name, number) =>
      sampleCase(number, {
        insurer: { name, responsible: { name: `${name} Muster`, email: '', phone: '' } },
      }),
    ),
  );
  const { items } = cache.list({ sort: 'insurer', descending: false });
  expect(items.map(({ insurer }) => insurer.name)).toEqual(names.toReversed());
  expect(cache.own.responsibles()).toEqual(names.toReversed().map((name) => `${name} Muster`));
});
