import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  estimateDrive,
  proposeOrder,
  type Stop,
  timesOf,
} from '../../../../renderer/lib/route/plan-day.ts';
import { loadPostalPlaces } from '../../../../renderer/lib/route/postal-places.ts';

const wishes = { startMinutes: 8 * 60, visitMinutes: 45 };
const places = await loadPostalPlaces();
/** A visit in a postal code, which is also its id. */
const stop = (code: string, time: string | null = null): Stop => ({
  id: code,
  place: places.get(code) ?? null,
  time,
});
const idsOf = (stops: readonly { readonly id: string }[]) => stops.map(({ id }) => id);

test('the table has the postal codes of Switzerland, and no others', () => {
  expect(places.size).toBeGreaterThan(3_400);
  expect(places.has('9490')).toBe(false);
  const far = [...places.values()].filter(
    ({ lat, lon }) => lat < 45.7 || lat > 47.9 || lon < 5.8 || lon > 10.6,
  );
  expect(far).toEqual([]);
});

test('a drive is estimated to within a third or ten minutes of a usual one', () => {
  const usual: readonly (readonly [string, string, number])[] = [
    ['8001', '8400', 32],
    ['8001', '3011', 95],
    ['1201', '1003', 55],
    ['6900', '6500', 35],
    ['4051', '4410', 25],
    ['8001', '8004', 12],
  ];
  for (const [from, to, minutes] of usual) {
    const [one, other] = [places.get(from), places.get(to)];
    const estimated = one && other ? estimateDrive(one, other) : 0;
    expect(Math.abs(estimated - minutes), `${from} ${to}: ${estimated}`).toBeLessThanOrEqual(
      Math.max(10, minutes / 3),
    );
  }
});

test('visits along a road stand in its order, each with a time on the quarter of an hour', () => {
  const stops = ['3011', '8001', '4900', '5000'].map((code) => stop(code));
  const order = proposeOrder(stops, wishes);
  expect([
    ['8001', '5000', '4900', '3011'],
    ['3011', '4900', '5000', '8001'],
  ]).toContainEqual(idsOf(order));
  const planned = timesOf(order, wishes);
  const quarters = ['00', '15', '30', '45'];
  expect(planned.filter(({ time }) => !quarters.includes(time?.slice(3) ?? ''))).toEqual([]);
  expect(planned[0]).toMatchObject({ time: '08:00', driveMinutes: null, isProposed: true });
  expect(planned[1]?.driveMinutes).toBeGreaterThan(30);
});

test('typed times stay, and the others stand where they fit', () => {
  const order = proposeOrder([stop('8001'), stop('3011', '14:00'), stop('8400')], wishes);
  expect(idsOf(order)).toEqual(['8400', '8001', '3011']);
  expect(timesOf(order, wishes)[2]).toMatchObject({
    time: '14:00',
    isProposed: false,
    isTight: false,
  });
  // Nothing fits before the first visit of the day.
  const early = proposeOrder([stop('8001'), stop('3011', '08:00')], wishes);
  expect(idsOf(early)).toEqual(['3011', '8001']);
});

test('an order by hand that a typed time does not allow is named', () => {
  const planned = timesOf([stop('8001'), stop('3011', '09:00')], wishes);
  expect(planned[1]).toMatchObject({ time: '09:00', isTight: true });
});

test('a visit whose place is not known stays where it is, without a time', () => {
  const stops = [stop('8001'), stop('9490'), stop('3011'), stop('8400')];
  const order = proposeOrder(stops, wishes);
  expect(order[1]?.id).toBe('9490');
  expect(timesOf(order, wishes)[1]).toMatchObject({
    time: null,
    driveMinutes: null,
    isProposed: false,
  });
});

test('no visit is proposed for the night', () => {
  const many = [...places.keys()].slice(0, 30).map((code) => stop(code));
  const planned = timesOf(many, wishes);
  expect(planned.at(-1)).toMatchObject({ time: null, isProposed: false });
  expect(planned.every(({ time }) => time === null || time <= '20:00')).toBe(true);
});

test('a proposal loses no visit, moves no typed time, and is tight only if the times alone are', () => {
  const time = fc.constantFrom('08:00', '10:30', '13:15', '16:00', null, null, null);
  const codes = fc.constantFrom(...places.keys(), '9490', '');
  const day = fc.uniqueArray(fc.record({ code: codes, time }), {
    maxLength: 9,
    selector: ({ code }) => code,
  });
  fc.assert(
    fc.property(day, (visits) => {
      const stops = visits.map(({ code, time: typed }) => stop(code, typed));
      const order = proposeOrder(stops, wishes);
      expect(idsOf(order).sort()).toEqual(idsOf(stops).sort());
      const planned = timesOf(order, wishes);
      expect(
        planned.map(
          (one) =>
            one.isProposed ||
            one.time === order.find(({ id }) => id === one.id)?.time ||
            one.time === null,
        ),
      ).not.toContain(false);
      const movedUnknown = stops.filter(({ id, place }, at) => !place && order[at]?.id !== id);
      expect(movedUnknown).toEqual([]);
      const alone = order.filter(({ time: typed }) => typed !== null);
      const isTightAlone = timesOf(alone, wishes).some(({ isTight }) => isTight);
      const isAllKnown = stops.every(({ place }) => place);
      const isTight = planned.some((one) => one.isTight);
      expect(isAllKnown && isTight && !isTightAlone).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test('the work for an order of 30 visits is bounded', () => {
  const codes = [...places.keys()];
  let looks = 0;
  const stops = Array.from({ length: 30 }, (_, at): Stop => {
    const id = codes[(at * 911) % codes.length] ?? '';
    const place = places.get(id) ?? null;
    const counted = place && {
      lon: place.lon,
      get lat() {
        looks += 1;
        return place.lat;
      },
    };
    return { id, place: counted, time: null };
  });
  for (const timed of [0, 2]) {
    looks = 0;
    const day = stops.map((one, at) => (at < timed ? { ...one, time: `${10 + at}:00` } : one));
    expect(idsOf(proposeOrder(day, wishes)).sort()).toEqual(idsOf(day).sort());
    expect(looks).toBeLessThan(1_000_000);
  }
});
