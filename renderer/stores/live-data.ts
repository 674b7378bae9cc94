import { useIntervalFn } from '@vueuse/core';
import {
  computed,
  shallowReactive,
  shallowRef,
  type ShallowReactive,
  type ShallowRef,
  type WritableComputedRef,
} from 'vue';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { presentMs } from '../lib/present.ts';
import { toProblem, type Problem } from '../lib/problem.ts';
import { throttleByKey } from '../lib/tasks.ts';
import { useLiveStore } from './live-store.ts';

/**
 * The interval at which the day is checked. What depends on it is shown for the next day soon after
 * midnight.
 */
const dayEveryMs = 15_000;

/**
 * A value of the engine that a store shows. `load` never rejects: `problem` has the reason of a
 * failure, and the previous value stays. Acts are different: they reject, and the page shows the
 * reason (`useAttempt`).
 */
export interface LiveRead {
  /**
   * Reads the value. From then on it is read again whenever it may have changed. An answer to an
   * earlier reading is dropped, because it may have been about something else.
   */
  readonly load: () => Promise<void>;
  /** Reads a changed value again. Until its answer, those of earlier readings are shown. */
  readonly loadAgain: () => void;
  /** Drops the answers that are still to come, because what is shown is newer. */
  readonly outdate: () => void;
  readonly problem: ShallowRef<Problem | null>;
}

interface LiveOptions {
  /** Whether an event makes the value out of date. */
  readonly changedBy?: (event: DeskEvent) => boolean;
  /**
   * True if the value belongs to the desk and not to the workspace. It then stays until the next
   * answer.
   */
  readonly ofDesk?: boolean;
  /** The minimum interval between two readings after events. */
  readonly everyMs?: number;
  /** For a value that depends on the day: whether it is shown, so that it follows midnight. */
  readonly followsDay?: () => boolean;
}

/**
 * The readings of one value. Their answers are shown in the order of the readings: one that comes
 * after the answer of a later reading is dropped.
 * @param onDue is called if the value changed during a reading, once that reading is over
 */
function createReadings<T>({
  show,
  fail,
  onDue,
}: {
  readonly show: (answer: T) => void;
  readonly fail: (error: unknown) => void;
  readonly onDue: () => void;
}) {
  let last = 0;
  /** The answers of the readings up to this one are no longer shown. */
  let settled = 0;
  /** The reading for whose end a change waits; null if there is none. */
  let present: number | null = null;
  let isDue = false;

  /** @param isLong whether the reading takes so long that no change waits for its end */
  async function ask(read: () => Promise<T>, isLong = false): Promise<void> {
    const own = (last += 1);
    if (!isLong) [present, isDue] = [own, false];
    const settle = (outcome: () => void) => {
      if (own <= settled) return;
      settled = own;
      outcome();
    };
    try {
      const answer = await read();
      settle(() => show(answer));
    } catch (error) {
      settle(() => fail(error));
    }
    if (own !== present) return;
    present = null;
    if (isDue) onDue();
  }

  /**
   * Asks once more, or after the present reading. A value that changes faster than it is read would
   * otherwise never be shown, or the readings would become more and more.
   */
  function askAgain(read: () => Promise<T>): void {
    if (present === null) void ask(read);
    else isDue = true;
  }

  function drop(): void {
    settled = last;
  }
  const isUnderway = (): boolean => last > settled;
  return { ask, askAgain, drop, isUnderway };
}

/**
 * Reads a value. It is read again after an event, after a time without events, and in another
 * workspace.
 * @param show receives each answer, and null if the previous answer belongs to another workspace
 */
export function useLiveRead<T>(
  read: () => Promise<T>,
  show: (answer: T | null) => void,
  { changedBy = () => false, ofDesk = false, everyMs = 0, followsDay }: LiveOptions = {},
): LiveRead {
  const live = useLiveStore();
  const problem = shallowRef<Problem | null>(null);
  let isAsked = false;
  /** The day of the last answer, by the desk's clock. */
  let readOn = '';
  const readings = createReadings<{ readonly answer: T; readonly day: string }>({
    show: ({ answer, day }) => {
      // A reading that fails at midnight is repeated, because its day is not noted.
      readOn = day;
      show(answer);
      problem.value = null;
    },
    fail: (error) => (problem.value = toProblem(error)),
    onDue: () => loadSoon(''),
  });
  const readToday = async () => {
    const day = zurichDay(presentMs());
    return { day, answer: await read() };
  };

  async function load(): Promise<void> {
    isAsked = true;
    readings.drop();
    await readings.ask(readToday);
  }

  const loadAgain = (): void => {
    if (isAsked) readings.askAgain(readToday);
  };
  const loadSoon = everyMs === 0 ? loadAgain : throttleByKey(everyMs, loadAgain);
  /** Asks without waiting for a reading that may never be answered. */
  const loadAnew = (): void => {
    if (isAsked) void load();
  };
  live.on((event) => {
    if (event.type === 'workspace.changed') {
      // An answer that is still to come belongs to the previous workspace.
      readings.drop();
      if (!ofDesk) show(null);
      loadAnew();
    } else if (changedBy(event)) loadSoon('');
  });
  live.onResumed(loadAnew);
  live.onLinked(() => {
    if (problem.value !== null) loadAnew();
  });
  // The interval also covers the time after the laptop slept, when no timer is exact.
  if (followsDay)
    useIntervalFn(() => {
      if (followsDay() && zurichDay(presentMs()) !== readOn) loadAgain();
    }, dayEveryMs);
  return { load, loadAgain, outdate: readings.drop, problem };
}

export interface LiveData<T> extends Omit<LiveRead, 'outdate'> {
  /**
   * The value; null until it is read. If an act's answer or an event is the new value, it is stored
   * here, and is newer than a reading that is still running.
   */
  readonly data: WritableComputedRef<T | null>;
}

/** Does the same as `useLiveRead`, and stores the last answer. */
export function useLiveData<T>(read: () => Promise<T>, options?: LiveOptions): LiveData<T> {
  const value: ShallowRef<T | null> = shallowRef<T | null>(null);
  const { outdate, ...reading } = useLiveRead(read, (answer) => (value.value = answer), options);
  const data = computed<T | null>({
    get: () => value.value,
    set: (newer) => {
      outdate();
      value.value = newer;
    },
  });
  return { data, ...reading };
}

export interface LiveMap<T> {
  /** @param refresh asks the insurer first, if the reading supports it */
  readonly load: (key: string, refresh?: boolean) => Promise<void>;
  /** The values that were read. */
  readonly data: ShallowReactive<Map<string, T>>;
  /** Stores the answer of an act, which is newer than a reading that is still running. */
  readonly show: (key: string, answer: T) => void;
  /**
   * Changes a part of a value that was read. A reading that is still running is repeated, because it
   * may bring another part.
   */
  readonly change: (key: string, changed: (value: T) => T) => void;
  /** Forgets a value, which is then not read again. */
  readonly forget: (key: string) => void;
  readonly problems: ShallowReactive<Map<string, Problem>>;
}

/**
 * Does the same as `useLiveData` for many values of one kind by their id.
 * @param changedBy returns the ids of the values that an event makes out of date; null for all.
 *   `unread` has the ids of values without an answer
 * @param everyMs the minimum interval between two readings of one value
 */
export function useLiveMap<T>(
  read: (key: string, refresh?: boolean) => Promise<T>,
  {
    changedBy,
    everyMs = 0,
  }: {
    readonly changedBy: (
      event: DeskEvent,
      data: ReadonlyMap<string, T>,
      unread: readonly string[],
    ) => readonly string[] | null;
    readonly everyMs?: number;
  },
): LiveMap<T> {
  const live = useLiveStore();
  const data = shallowReactive(new Map<string, T>());
  const problems = shallowReactive(new Map<string, Problem>());
  /** The readings of each value that was asked for and is not forgotten. */
  const asked = new Map<string, ReturnType<typeof createReadings<T>>>();

  function shown(key: string, answer: T): void {
    data.set(key, answer);
    problems.delete(key);
  }
  function readingsOf(key: string) {
    const known = asked.get(key);
    if (known) return known;
    const readings = createReadings<T>({
      show: (answer) => shown(key, answer),
      fail: (error) => problems.set(key, toProblem(error)),
      onDue: () => loadSoon(key),
    });
    asked.set(key, readings);
    return readings;
  }

  function show(key: string, answer: T): void {
    readingsOf(key).drop();
    shown(key, answer);
  }
  function change(key: string, changed: (value: T) => T): void {
    const value = data.get(key);
    if (value === undefined) return;
    const readings = readingsOf(key);
    const isUnderway = readings.isUnderway();
    readings.drop();
    data.set(key, changed(value));
    if (isUnderway) void load(key);
  }
  function forget(key: string): void {
    asked.get(key)?.drop();
    for (const values of [asked, data, problems]) values.delete(key);
  }

  async function load(key: string, refresh = false): Promise<void> {
    await readingsOf(key).ask(() => read(key, refresh), refresh);
  }

  const loadAgain = (key: string): void => asked.get(key)?.askAgain(() => read(key));
  const loadSoon = everyMs === 0 ? loadAgain : throttleByKey(everyMs, loadAgain);
  live.on((event) => {
    if (event.type === 'workspace.changed') {
      for (const key of Array.from(asked.keys())) forget(key);
    } else {
      const unread = [...asked.keys()].filter((key) => !data.has(key));
      (changedBy(event, data, unread) ?? [...asked.keys()]).forEach(loadSoon);
    }
  });
  live.onResumed(() => [...asked.keys()].forEach((key) => void load(key)));
  live.onLinked(() => [...problems.keys()].forEach((key) => void load(key)));
  return { load, data, show, change, forget, problems };
}
