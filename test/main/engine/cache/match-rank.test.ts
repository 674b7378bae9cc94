import { beforeEach, describe, expect, it } from 'vitest';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { openTestCache, sampleCase, testFolder } from '../support/test-engine.ts';

interface Sample {
  readonly key: string;
  readonly party: string;
  readonly plate?: string;
  readonly policy?: string;
  readonly street?: string;
  readonly city?: string;
  readonly comment?: string;
}

/** Oldest first: whatever is meant by its name is older than what only mentions the words. */
const samples: readonly Sample[] = [
  { key: '2026-1001', party: 'Thomas Zürcher', plate: 'ZH 1', policy: '66.448.342-3' },
  { key: '2026-1002', party: 'Anna Imhof', plate: 'ZH 123 456', city: 'Bern' },
  { key: '2026-1003', party: 'Élodie Favre', plate: 'GE 4711', policy: 'P-77' },
  { key: '2026-1004', party: 'Müller Transporte AG', plate: 'LU 88 001' },
  { key: 'S-1', party: 'Beat Bern', plate: 'BE 1 201' },
  { key: 'S-10', party: 'Rosa Bernasconi', plate: 'TI 55' },
  { key: 'AB.12-7', party: 'Jean-Luc Dupont', plate: 'VD 9 9' },
  { key: '2026-1100', party: 'Straßer Söhne', plate: 'ZH 1201' },
  { key: '2026-1101', party: 'Thomas Rüegg', street: 'Zürcherstrasse 113', city: 'Zürich' },
  { key: '2026-1102', party: 'Carla Imhofer', street: 'Imhofweg 4' },
  { key: '2026-1103', party: 'Kim Kägi', city: 'Bern', comment: 'Garage Imhof, Favre, S-1' },
  { key: '2026-1104', party: 'Paul Keller', comment: 'Halter ZH 123 456, Müller, Dupont' },
];

let cache: Cache;
beforeEach(() => {
  cache = openTestCache(testFolder());
  const all = samples.map(
    ({ key, party, plate = '', policy = '', street = '', city = '', comment }, at) =>
      sampleCase(at + 1, {
        externalKey: key,
        ...(comment !== undefined && { expertComment: comment }),
        lastChangedAt: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
        payloadJson: JSON.stringify({
          policyNumber: policy,
          insured: { name: party, licensePlate: plate },
          location: { street, city },
        }),
      }),
  );
  // Later changes that only mention all that is looked for.
  const words = 'Zürcher Imhof Favre Müller Bern Dupont Strasser ZH 123 GE 4711 S-1 P-77 2026-1001';
  const noise = Array.from({ length: 200 }, (_, at) =>
    sampleCase(at + 100, {
      externalKey: `N-${at}`,
      expertComment: words,
      lastChangedAt: new Date(Date.UTC(2026, 1, 1, 0, at)).toISOString(),
      payloadJson: JSON.stringify({
        insured: { name: `Partei ${at}`, licensePlate: `ZH 1${at}77` },
      }),
    }),
  );
  cache.cases.upsert([...all, ...noise]);
});

describe('the first hit of a search that puts the best first', () => {
  const wanted = [
    ['zürcher', 'Thomas Zürcher'],
    ['zür', 'Thomas Zürcher'],
    ['Zurcher', 'Thomas Zürcher'],
    ['thomas zür', 'Thomas Zürcher'],
    ['zürcher thomas', 'Thomas Zürcher'],
    ['imhof', 'Anna Imhof'],
    ['IMHOF', 'Anna Imhof'],
    ['anna', 'Anna Imhof'],
    ['a imhof', 'Anna Imhof'],
    ['imhofer', 'Carla Imhofer'],
    ['favre', 'Élodie Favre'],
    ['elodie', 'Élodie Favre'],
    ['élo fav', 'Élodie Favre'],
    ['müller', 'Müller Transporte AG'],
    ['transporte', 'Müller Transporte AG'],
    ['bern', 'Beat Bern'],
    ['bernas', 'Rosa Bernasconi'],
    ['dupont', 'Jean-Luc Dupont'],
    ['jean luc', 'Jean-Luc Dupont'],
    ['strasser', 'Straßer Söhne'],
    ['zh 1', 'Thomas Zürcher'],
    ['ZH1', 'Thomas Zürcher'],
    ['zh 123', 'Anna Imhof'],
    ['zh123456', 'Anna Imhof'],
    ['ZH-123-456', 'Anna Imhof'],
    ['ge 4711', 'Élodie Favre'],
    ['ge4', 'Élodie Favre'],
    ['be 1', 'Beat Bern'],
    ['s-1', 'Beat Bern'],
    ['S-10', 'Rosa Bernasconi'],
    ['2026-1001', 'Thomas Zürcher'],
    ['ab 12', 'Jean-Luc Dupont'],
    ['66448342', 'Thomas Zürcher'],
    ['p77', 'Élodie Favre'],
    ['zürcherstrasse', 'Thomas Rüegg'],
    ['rüegg', 'Thomas Rüegg'],
  ] as const;

  it('is whom or what the words name', () => {
    const found = wanted.map(([q]) => {
      const [first] = cache.list({ q, bestFirst: true, limit: 8 }).items;
      return [q, first?.partyName];
    });
    expect(found).toEqual(wanted);
  });

  it('is followed by those that were changed last, and changes no count', () => {
    const best = cache.list({ q: 'imhof', bestFirst: true, limit: 1000 });
    const plain = cache.list({ q: 'imhof', limit: 1000 });
    expect(best.items.slice(0, 3).map(({ partyName }) => partyName)).toEqual([
      'Anna Imhof',
      'Carla Imhofer',
      'Partei 199',
    ]);
    expect(best.total).toBe(plain.total);
    expect(new Set(best.items.map(({ id }) => id))).toEqual(
      new Set(plain.items.map(({ id }) => id)),
    );
    expect(cache.ids({ q: 'imhof', bestFirst: true, limit: 3 })).toEqual(
      best.items.slice(0, 3).map(({ id }) => id),
    );
  });
});
