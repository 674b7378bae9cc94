/** A place in degrees. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** A visit, as far as its position in the day depends on it. */
export interface Stop {
  readonly id: string;
  /** It is null if the place of the postal code is not known. */
  readonly place: Place | null;
  /** The time that the user has typed, as HH:MM. It stays. */
  readonly time: string | null;
}

/** When a day begins, and how long each visit takes. */
export interface DayWishes {
  /** Minutes since midnight. */
  readonly startMinutes: number;
  readonly visitMinutes: number;
}

/** A visit with its time, in the order of the drive. */
export interface PlannedStop {
  readonly id: string;
  /** The drive from the last visit whose place is known. It is null at the first one. */
  readonly driveMinutes: number | null;
  /** HH:MM. It is null if the place is not known or the day has no time left. */
  readonly time: string | null;
  /** The user has not typed this time. */
  readonly isProposed: boolean;
  /** The drive takes longer than the time until this typed time. */
  readonly isTight: boolean;
}

/** Proposed times are full quarters of an hour. */
const stepMinutes = 15;
/** No visit is proposed for the night. */
const lastMinutes = 20 * 60;
/** Roads are longer than the straight line. */
const roadFactor = 1.25;
/** A drive begins and ends slowly. */
const slow = { km: 15, kmPerHour: 35 };
const fastKmPerHour = 80;
const parkingMinutes = 5;

/**
 * The length of the road between two places, estimated from the straight line. It is the same in
 * both directions.
 */
function kmBetween(from: Place, to: Place): number {
  const north = (to.lat - from.lat) * 111.2;
  const middle = (from.lat + to.lat) / 2;
  const east = (to.lon - from.lon) * 111.2 * Math.cos((middle * Math.PI) / 180);
  return Math.sqrt(north * north + east * east) * roadFactor;
}

/**
 * Estimates a drive in minutes, rounded up to five. Passes, lakes and traffic are not in it, so it
 * is always shown as an estimate.
 */
export function estimateDrive(from: Place, to: Place): number {
  const km = kmBetween(from, to);
  const hours = Math.min(km, slow.km) / slow.kmPerHour + Math.max(0, km - slow.km) / fastKmPerHour;
  return Math.ceil((hours * 60 + parkingMinutes) / 5) * 5;
}

/** Returns the times of visits in a given order. */
export function timesOf(stops: readonly Stop[], wishes: DayWishes): PlannedStop[] {
  let last: Place | null = null;
  /** The minute from which the user is free to drive on. It is null before the first visit. */
  let free: number | null = null;
  return stops.map(({ id, place, time }) => {
    const driveMinutes: number | null = place && last ? estimateDrive(last, place) : null;
    const earliest: number | null = free === null ? null : free + (driveMinutes ?? 0);
    last = place ?? last;
    if (time !== null) {
      const isTight = earliest !== null && earliest > minutesOf(time);
      free = Math.max(minutesOf(time), earliest ?? 0) + wishes.visitMinutes;
      return { id, driveMinutes, time, isProposed: false, isTight };
    }
    const none = { id, driveMinutes, time: null, isProposed: false, isTight: false };
    if (!place) return none;
    const at = Math.ceil((earliest ?? wishes.startMinutes) / stepMinutes) * stepMinutes;
    free = at + wishes.visitMinutes;
    return at > lastMinutes ? none : { ...none, time: textOf(at), isProposed: true };
  });
}

/**
 * Proposes an order. Visits with a typed time stand in the order of their times, and each other
 * visit where it costs the least time. A visit whose place is not known stays where it is.
 */
export function proposeOrder(stops: readonly Stop[], wishes: DayWishes): Stop[] {
  const placed = stops.filter(({ place }) => place !== null);
  const agreed = placed
    .filter(({ time }) => time !== null)
    .sort((a, b) => minutesOf(a.time) - minutesOf(b.time));
  const free = placed.filter(({ time }) => time === null);
  const route = (
    agreed.length > 0 ? insertAll(agreed, free, wishes) : shortestRoute(free)
  ).values();
  return stops.map((stop) => (stop.place ? (route.next().value ?? stop) : stop));
}

/** Inserts one visit after the other, each time the one that costs the least. */
function insertAll(agreed: readonly Stop[], free: readonly Stop[], wishes: DayWishes): Stop[] {
  let route = [...agreed];
  const left = new Set(free);
  while (left.size > 0) {
    let best: { km: number; stop: Stop; route: Stop[] } | null = null;
    for (const stop of left)
      for (let at = 0; at <= route.length; at += 1) {
        const km = addedKm(route, at, stop);
        if (best && km >= best.km) continue;
        const tried = route.toSpliced(at, 0, stop);
        // The last place is always allowed.
        if (at === route.length || keepsTimes(tried, wishes)) best = { km, stop, route: tried };
      }
    if (!best) break;
    ({ route } = best);
    left.delete(best.stop);
  }
  return route;
}

/** Returns by how many kilometres a stop at this place makes the route longer. */
function addedKm(route: readonly Stop[], at: number, stop: Stop): number {
  const [before, after] = [at === 0 ? undefined : route[at - 1], route[at]];
  const direct = before && after ? kmFrom(before, after) : 0;
  return (before ? kmFrom(before, stop) : 0) + (after ? kmFrom(stop, after) : 0) - direct;
}

const keepsTimes = (route: readonly Stop[], wishes: DayWishes) =>
  timesOf(route, wishes).every(({ isTight }) => !isTight);

/** Returns a short way through all stops: the nearest next one, improved by turning parts round. */
function shortestRoute(stops: readonly Stop[]): Stop[] {
  const routes = stops.map((first) => withoutCrossings(nearestNext(first, stops)));
  const [one = [], ...others] = routes;
  return others.reduce((best, route) => (kmOf(route) < kmOf(best) ? route : best), one);
}

function nearestNext(first: Stop, stops: readonly Stop[]): Stop[] {
  const route = [first];
  const left = new Set(stops);
  left.delete(first);
  let last = first;
  while (left.size > 0) {
    const from = last;
    last = [...left].reduce((best, stop) =>
      kmFrom(from, stop) < kmFrom(from, best) ? stop : best,
    );
    route.push(last);
    left.delete(last);
  }
  return route;
}

function withoutCrossings(route: readonly Stop[]): Stop[] {
  let best = [...route];
  let isShorter = true;
  while (isShorter) {
    isShorter = false;
    for (let from = 0; from < best.length - 1; from += 1)
      for (let to = from + 1; to < best.length; to += 1) {
        if (savedKm(best, from, to) <= 0.001) continue;
        best = best.toSpliced(from, to - from + 1, ...best.slice(from, to + 1).toReversed());
        isShorter = true;
      }
  }
  return best;
}

/**
 * Returns by how many kilometres the route is shorter if the part from `from` to `to` is turned
 * round. Only the two ways at the ends of the part change.
 */
function savedKm(route: readonly Stop[], from: number, to: number): number {
  const [first, last] = [route[from], route[to]];
  if (!first || !last) return 0;
  const [before, after] = [from === 0 ? undefined : route[from - 1], route[to + 1]];
  const kmAtEnds = (start: Stop, end: Stop) =>
    (before ? kmFrom(before, start) : 0) + (after ? kmFrom(end, after) : 0);
  return kmAtEnds(first, last) - kmAtEnds(last, first);
}

const kmFrom = (from: Stop, to: Stop) =>
  from.place && to.place ? kmBetween(from.place, to.place) : 0;
const kmOf = (route: readonly Stop[]) =>
  route.slice(1).reduce((sum, stop, at) => sum + kmFrom(route[at] ?? stop, stop), 0);

function minutesOf(time: string | null): number {
  const [hours = 0, minutes = 0] = (time ?? '').split(':').map(Number);
  return hours * 60 + minutes;
}

const textOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
