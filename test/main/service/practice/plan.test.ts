import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planClaims, type ClaimPlan } from '#main/service/practice/plan.ts';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { dueStatuses } from '#shared/api/states.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { validatePayload } from '#shared/payload/validate.ts';
import { createRandom } from '#main/service/practice/random.ts';
import { worldOf } from '#main/service/practice/worlds/world-of.ts';
import { makePlate, makeResident, makeVin } from '#main/service/practice/switzerland.ts';

const today = '2026-06-15';

/** The plan without its source of chance, which has no value to compare. */
const comparable = (plans: ClaimPlan[]) => plans.map(({ random: _, ...plan }) => plan);

const anySeed = fc.integer({ min: 0, max: 1_000_000 });
const anyDay = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('planClaims', () => {
  it('makes the same claims for the same seed and day, and others for another', () => {
    const first = comparable(planClaims({ count: 30 }, 7, today));
    expect(comparable(planClaims({ count: 30 }, 7, today))).toEqual(first);
    expect(comparable(planClaims({ count: 30 }, 8, today))).not.toEqual(first);
    expect(comparable(planClaims({ count: 30 }, 7, '2026-06-16'))).not.toEqual(first);
  });

  it('makes exactly as many as asked for', () => {
    for (const count of [0, 1, 40, 233])
      expect(planClaims({ count }, 1, today)).toHaveLength(count);
  });

  it('makes an expert see exactly the cases asked for, and a few more are not assigned', () => {
    for (const seed of [1, 2, 3]) {
      const plans = planClaims({ visibleCases: 60 }, seed, today);
      const created = plans.filter(({ history }) => history.status === 'Created');
      expect(plans.length - created.length).toBe(60);
      expect(created.length).toBeGreaterThan(0);
    }
  });

  it('has visits today and tomorrow, of cases that are to be visited', () => {
    fc.assert(
      fc.property(anySeed, anyDay, (seed, day) => {
        const visits = planClaims({ visibleCases: 60 }, seed, day)
          .filter(({ history }) => dueStatuses.includes(history.status))
          .map(({ draft }) => draft.payload['inspectionDate']);
        for (const shown of [day, addDays(day, 1)]) expect(visits).toContain(shown);
      }),
      { numRuns: 25 },
    );
  });

  it('covers all categories and all states from 40 claims on', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const plans = planClaims({ count: 40 }, seed, today);
        expect(new Set(plans.map(({ category }) => category))).toEqual(new Set(categories));
        expect(new Set(plans.map(({ history }) => history.status))).toEqual(new Set(caseStatuses));
      }),
      { numRuns: 25 },
    );
  });

  it('makes payloads that were valid on the day on which they were sent', () => {
    fc.assert(
      fc.property(anySeed, anyDay, fc.constantFrom(...languages), (seed, day, language) => {
        for (const { category, draft, history } of planClaims({ count: 25 }, seed, day, language)) {
          const created = zurichDay(history.createdAt);
          expect(validatePayload(category, draft.payload, created)).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['fr', /^(?:1|2[0-9]|39)/],
    ['it', /^(?:6[5-9]|7742)/],
  ] as const)('is in the region whose language is %s, with people of others', (language, codes) => {
    const insured = planClaims({ count: 200 }, 1, today, language).map(
      ({ draft }) => draft.payload['insured'] as { postalCode: string },
    );
    const own = insured.filter(({ postalCode }) => codes.test(postalCode)).length;
    expect(own).toBeGreaterThan(120);
    expect(own).toBeLessThan(190);
  });

  it('differs in its people and texts alone by language', () => {
    const shape = (language: Language) =>
      planClaims({ count: 40 }, 1, today, language).map(({ id, category, history, draft }) => {
        const { claimInsurance } = draft.payload;
        return { id, category, history, claimInsurance };
      });
    for (const language of languages) expect(shape(language)).toEqual(shape('de'));
    expect(comparable(planClaims({ count: 9 }, 1, today, 'en'))).toEqual(
      comparable(planClaims({ count: 9 }, 1, today, 'de')),
    );
  });

  it('names the estimate in the payload, in whole 5 Rappen', () => {
    for (const { draft } of planClaims({ count: 100 }, 3, today)) {
      expect(Math.round(Number(draft.payload['estimatedAmount']) * 100)).toBe(draft.estimateRappen);
      expect(draft.estimateRappen % 5).toBe(0);
    }
  });

  it('keeps to the strictest reading: no null remarks, every insurance in fraud', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const plans = planClaims({ count: 40 }, seed, today);
        for (const { draft } of plans) expect(draft.payload['remarks']).not.toBeNull();
        const fraud = plans.filter(({ category }) => category === 'fraud');
        const insurances = new Set(fraud.map(({ draft }) => draft.payload['claimInsurance']));
        expect(insurances).toEqual(new Set(['liability', 'partial', 'comprehensive']));
      }),
      { numRuns: 25 },
    );
  });

  it('tells histories that lie before today', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        for (const { history } of planClaims({ count: 40 }, seed, today)) {
          const times = [history.createdAt, ...history.steps.map(({ at }) => at)];
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(times.at(-1)).toBeLessThan(Date.parse(`${today}T00:00:00Z`));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('numbers claims by their age', () => {
    const created = planClaims({ count: 50 }, 1, today).map(({ history }) => history.createdAt);
    expect(created).toEqual(created.toSorted((a, b) => a - b));
  });
});

describe('createRandom', () => {
  it('gives uuids that differ in as many sequences as a large practice store has', () => {
    const count = 200_000;
    const ids = new Set<string>();
    for (let number = 0; number < count; number += 1)
      ids.add(createRandom(`claim ${number}`).uuid());
    expect(ids.size).toBe(count);
    expect(
      [...ids].every((id) => /^[0-9a-f-]{14}4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
  });
});

describe('made-up people', () => {
  it('have plates, phones and addresses as in Switzerland, and of nobody', () => {
    for (let number = 0; number < 200; number += 1) {
      const random = createRandom(`person ${number}`);
      const resident = makeResident(random, worldOf(languages[number % languages.length] ?? 'de'));
      expect(resident.postalCode).toMatch(/^[1-9]\d{3}$/);
      expect(resident.phone).toMatch(/^\+41 \d\d 000 \d\d \d\d$/);
      expect(resident.email).toMatch(/^[a-z.]+@post\.example$/);
      expect(makePlate(random, resident.canton)).toMatch(/^[A-Z]{2} \d{1,3}( \d{3})?$/);
      expect(makeVin(random, 'WVW')).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/);
    }
  });
});
