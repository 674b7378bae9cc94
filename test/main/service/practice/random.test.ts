import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '#main/service/practice/random.ts';
import { makePlate, makeResident, makeVin } from '#main/service/practice/switzerland.ts';

describe('createRandom', () => {
  it('repeats itself for the same label, and a fork does not depend on what was drawn', () => {
    const draw = (label: string, random = createRandom(label)) =>
      Array.from({ length: 5 }, () => random.next());
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
    const used = createRandom('a');
    used.next();
    expect(used.fork('x').next()).toBe(createRandom('a').fork('x').next());
  });

  it('keeps to its ranges', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: -50, max: 50 }),
        fc.nat(100),
        (label, min, more) => {
          const random = createRandom(label);
          const value = random.int(min, min + more);
          expect(value).toBeGreaterThanOrEqual(min);
          expect(value).toBeLessThanOrEqual(min + more);
          expect(random.uuid()).toMatch(
            /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
          );
        },
      ),
    );
  });

  it('reaches both ends evenly enough', () => {
    const random = createRandom('even');
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 4000; draw += 1) {
      const value = random.int(0, 3);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe('made-up people', () => {
  it('have plates, phones and addresses as in Switzerland, and of nobody', () => {
    for (let number = 0; number < 200; number += 1) {
      const random = createRandom(`person ${number}`);
      const resident = makeResident(random);
      expect(resident.postalCode).toMatch(/^[1-9]\d{3}$/);
      expect(resident.phone).toMatch(/^\+41 \d\d 000 \d\d \d\d$/);
      expect(resident.email).toMatch(/^[a-z.]+@post\.example$/);
      expect(makePlate(random, resident.canton)).toMatch(/^[A-Z]{2} \d{1,3}( \d{3})?$/);
      expect(makeVin(random, 'WVW')).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/);
    }
  });
});
