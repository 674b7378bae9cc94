import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCaseIndex,
  isSalvageName,
  joinedForm,
  type KnownCase,
  matchName,
  matchSubject,
} from '#main/engine/batch/match-names.ts';
import { identifierKinds } from '#shared/desk/reports/batch.ts';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import { languages } from '#shared/i18n/language.ts';

function known(over: Partial<KnownCase>): KnownCase {
  return {
    id: 'id',
    awaits: false,
    externalKey: '',
    policyNumber: '',
    licensePlate: '',
    partyName: '',
    subject: '',
    problem: null,
    ...over,
  };
}
const car = known({
  id: 'car',
  externalKey: 'VH-2026-00017',
  policyNumber: '12.345.678-9',
  licensePlate: 'ZH 123 456',
});
const closed = { code: 'case_state', params: { status: 'Final' } } as const;
const oldCar = known({ ...car, id: 'old', externalKey: 'VH-2019-00003', problem: closed });
const house = known({ id: 'house', externalKey: 'SG-0815', policyNumber: '12.345.678-9' });
const index = createCaseIndex([car, house]);
const match = (path: string, ...cases: KnownCase[]) =>
  matchName(path, cases.length > 0 ? createCaseIndex(cases) : index);

describe('a name and the cases', () => {
  it.each(languages)('finds the case in the examples of an empty batch (%s)', async (language) => {
    const { examples } = (await loadWindowTexts[language]()).batch;
    const plate = examples.licensePlate.split('/')[0] ?? '';
    const shown = known({
      externalKey: 'SF-2026-000042',
      policyNumber: '36.316.288-1',
      licensePlate: plate,
    });
    for (const kind of identifierKinds)
      expect(match(examples[kind], shown)).toMatchObject({ caseId: 'id', matchedBy: [{ kind }] });
  });

  it.each([
    ['VH-2026-00017.pdf', 'certain'],
    ['vh 2026 00017 Gutachten.pdf', 'certain'],
    ['2026-03-01_VH-2026-00017_front.jpg', 'certain'],
    ['VH-2026-00017/front.jpg', 'certain'],
    ['März/VH_2026_00017/Fotos/IMG_0001.jpg', 'certain'],
    ['ZH123456.pdf', 'likely'],
    ['zh-123.456 Bericht.pdf', 'likely'],
    ['Müller, ZH 123456, Front.jpg', 'likely'],
    ['ZH 123456 Police 12.345.678-9.pdf', 'certain'],
  ])('finds the car in %s (%s)', (path, confidence) => {
    expect(match(path)).toMatchObject({ caseId: 'car', confidence, refusal: null });
  });

  it.each([
    ['ZH 1234567.pdf', 'nothing_recognized'],
    ['NEZH123456.pdf', 'nothing_recognized'],
    ['IMG_0001.jpg', 'nothing_recognized'],
    ['', 'nothing_recognized'],
    ['123456789.pdf', 'several_cases'],
    ['VH-2026-00017/SG-0815.pdf', 'names_disagree'],
    ['VH-2026-00017 und SG-0815.pdf', 'names_disagree'],
  ] as const)('finds no case for %j: %s', (path, refusal) => {
    expect(match(path)).toMatchObject({ caseId: null, refusal });
  });

  it.each([
    ['VH-2026-99999.pdf', 'VH-2026-99999', []],
    ['vh_2026_99999/Gutachten.pdf', 'vh_2026_99999', []],
    ['VH-2026-99999 ZH 123456.pdf', 'VH-2026-99999', ['VH-2026-00017']],
  ])('names the claim number of %s, which no case has', (path, identifier, candidates) => {
    const place = path.includes('/') ? 'folder' : 'file';
    expect(match(path)).toMatchObject({
      caseId: null,
      refusal: 'unknown_case',
      candidates,
      matchedBy: [{ kind: 'externalKey', identifier, in: place }],
    });
  });

  it.each([
    ['WG: Schaden VH-2026-00017 / Offerte', 'car', null],
    ['Offerte zu ZH 123456', 'car', null],
    ['VH-2026-99999', null, 'unknown_case'],
    ['VH-2026-00017 und SG-0815', null, 'names_disagree'],
    ['Offerte', null, 'nothing_recognized'],
  ])('finds the case of a mail by the subject “%s”', (subject, caseId, refusal) => {
    const found = matchSubject('mails/Anfrage.eml', subject, index);
    expect(found).toMatchObject({ path: 'mails/Anfrage.eml', caseId, refusal });
    expect(found.matchedBy.every((one) => one.in === 'subject')).toBe(true);
  });

  it('takes digits alone for no claim number, and what looks like one not before a known one', () => {
    const digits = known({ id: 'digits', externalKey: '20260300' });
    expect(match('20260301.jpg', digits).refusal).toBe('nothing_recognized');
    expect(match('VH-2026-00017 SG 1234.pdf').caseId).toBe('car');
  });

  it('names the cases that it could be', () => {
    const { candidates } = match('Police 12.345.678-9.pdf');
    expect(candidates.toSorted()).toEqual(['SG-0815', 'VH-2026-00017']);
  });

  it('returns what was recognized, and where', () => {
    expect(match('12.345.678-9/ZH 123 456.jpg').matchedBy).toEqual([
      { kind: 'licensePlate', identifier: 'ZH 123 456', in: 'file' },
      { kind: 'policyNumber', identifier: '12.345.678-9', in: 'folder' },
    ]);
  });

  it('takes the only case that takes work, and marks it as only likely', () => {
    expect(match('ZH 123456.jpg', car, oldCar)).toMatchObject({
      caseId: 'car',
      confidence: 'likely',
    });
    const open = { ...oldCar, problem: null };
    expect(match('ZH 123456.jpg', car, open).refusal).toBe('several_cases');
    expect(match('VH-2019-00003 ZH 123456.jpg', car, oldCar).caseId).toBe('old');
  });

  it('takes the longer of two identifiers of which one is within the other', () => {
    const short = known({ id: 'short', externalKey: 'A-2026' });
    const long = known({ id: 'long', externalKey: 'A-2026-7' });
    expect(match('A-2026-7.pdf', short, long).caseId).toBe('long');
    expect(match('A-2026.pdf', short, long).caseId).toBe('short');
  });

  it('does not take a word or a short number for an identifier', () => {
    const vague = known({ externalKey: 'BERICHT', policyNumber: '2026', licensePlate: 'ZH1' });
    expect(match('Bericht 2026 ZH1.pdf', vague).refusal).toBe('nothing_recognized');
  });

  it.each([
    'Restwert.pdf',
    'RESTWERTBÖRSE/a.pdf',
    'Restwertboerse.pdf',
    'x/épave/a.pdf',
    'Épaves/a.pdf',
    'Offerta recupero.pdf',
    'Salvage offer.pdf',
  ])('%s is a salvage sale', (path) => {
    expect(isSalvageName(path)).toBe(true);
    expect(isSalvageName(path.normalize('NFD'))).toBe(true);
  });
  it.each(['Wert des Restes.pdf', 'a/b.pdf'])('%s is none', (path) => {
    expect(isSalvageName(path)).toBe(false);
  });
});

const letters = fc.stringMatching(/^[A-Z]{2}$/);
const digits = fc.stringMatching(/^[0-9]{3,6}$/);
const plates = fc.tuple(letters, digits);
const gap = fc.constantFrom('', ' ', '.', '-', '_', ' - ');
const other = fc.stringMatching(/^[a-z]{1,8}$/);

describe('any plate', () => {
  it('is found in any spelling and any surroundings', () => {
    fc.assert(
      fc.property(
        plates,
        fc.tuple(gap, gap),
        fc.boolean(),
        fc.tuple(other, other),
        ([canton, number], [inner, around], isLower, [before, after]) => {
          const cut = Math.floor(number.length / 2);
          const plate = `${canton}${inner}${number.slice(0, cut)}${inner}${number.slice(cut)}`;
          const written = isLower ? plate.toLowerCase() : plate;
          // Letters that touch the canton's would be another word.
          const name = `${before}${around === '' ? ' ' : around}${written} ${after}.jpg`;
          const one = known({ id: 'one', licensePlate: `${canton} ${number}` });
          expect(match(name, one).caseId).toBe('one');
        },
      ),
    );
  });

  it('is not found in another plate', () => {
    fc.assert(
      fc.property(plates, plates, ([canton, number], [otherCanton, otherNumber]) => {
        fc.pre(canton !== otherCanton || number !== otherNumber);
        const one = known({ id: 'one', licensePlate: `${canton} ${number}` });
        expect(match(`${otherCanton} ${otherNumber}.jpg`, one).caseId).toBeNull();
      }),
    );
  });

  it('is never matched to a case that has none of what was recognized', () => {
    const cases = fc.array(fc.tuple(plates, digits, digits), { minLength: 1, maxLength: 6 });
    let matched = 0;
    fc.assert(
      fc.property(cases, fc.nat(), fc.nat(), (drafts, a, b) => {
        const all = drafts.map(([[canton, number], policy, key], at) =>
          known({
            id: String(at),
            externalKey: `K${key}`,
            policyNumber: policy,
            licensePlate: canton + number,
          }),
        );
        const pick = (at: number) => all[at % all.length] ?? known({});
        const result = match(
          `${pick(a).licensePlate}/K ${pick(b).externalKey.slice(1)}.jpg`,
          ...all,
        );
        const chosen = all.find(({ id }) => id === result.caseId);
        const reasons = chosen ? result.matchedBy : [];
        matched += reasons.length;
        const own = reasons.map(({ kind }) => joinedForm(chosen?.[kind] ?? ''));
        expect(own).toEqual(reasons.map(({ identifier }) => joinedForm(identifier)));
        expect(result.caseId === null).toBe(result.refusal !== null);
      }),
    );
    expect(matched).toBeGreaterThan(0);
  });
});
