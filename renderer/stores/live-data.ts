import { shallowReactive, shallowRef, type ShallowReactive, type ShallowRef } from 'vue';
import type { DeskEvent } from '#shared/desk/events.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { throttleByKey } from '../composables/tasks.ts';
import { useLiveStore } from './live-store.ts';

/**
 * What a store shows of the engine. `load` never rejects: why it failed stands in `problem`, and
 * what was read before stays. Acts are the other kind: they reject, and the page shows it
 * (`useAttempt`).
 */
export interface LiveRead {
  /** Reads, and from now on reads again whenever it may have changed. */
  readonly load: () => Promise<void>;
  readonly problem: ShallowRef<Problem | null>;
}

interface LiveOptions {
  /** Whether an event makes out of date what was read. */
  readonly changedBy?: (event: DeskEvent) => boolean;
  /** It is the desk's, not the workspace's: it stays until the next answer. */
  readonly ofDesk?: boolean;
  /** After events it is read again at most this often. */
  readonly everyMs?: number;
}

/**
 * Reads something, and reads it again after an event, after a time without events, and in another
 * workspace. The newest question wins.
 * @param show is given each answer; null if what it was given is another workspace's
 */
export function useLiveRead<T>(
  read: () => Promise<T>,
  show: (answer: T | null) => void,
  { changedBy = () => false, ofDesk = false, everyMs = 0 }: LiveOptions = {},
): LiveRead {
  const live = useLiveStore();
  const problem = shallowRef<Problem | null>(null);
  let isAsked = false;
  let question = 0;

  async function load(): Promise<void> {
    isAsked = true;
    const asked = (question += 1);
    try {
      const answer = await read();
      if (asked !== question) return;
      show(answer);
      problem.value = null;
    } catch (error) {
      if (asked === question) problem.value = toProblem(error);
    }
  }

  const loadAgain = (): void => {
    if (isAsked) void load();
  };
  const loadSoon = everyMs === 0 ? loadAgain : throttleByKey(everyMs, loadAgain);
  live.on((event) => {
    if (event.type === 'workspace.changed') {
      // An answer that is on its way is about the other workspace.
      question += 1;
      if (!ofDesk) show(null);
      loadAgain();
    } else if (changedBy(event)) loadSoon('');
  });
  live.onResumed(loadAgain);
  return { load, problem };
}

export interface LiveData<T> extends LiveRead {
  /** Null until it is read. An act whose answer is the new value puts it here. */
  readonly data: ShallowRef<T | null>;
}

/** As `useLiveRead`, with the last answer. */
export function useLiveData<T>(read: () => Promise<T>, options?: LiveOptions): LiveData<T> {
  const data = shallowRef<T | null>(null);
  const show = (answer: T | null): void => {
    data.value = answer;
  };
  return { data, ...useLiveRead(read, show, options) };
}

export interface LiveMap<T> {
  /** @param refresh asks the insurer first, if the reading can */
  readonly load: (key: string, refresh?: boolean) => Promise<void>;
  /** Only what was read; what is taken out is not read again. */
  readonly data: ShallowReactive<Map<string, T>>;
  /** The answer of an act, which is newer than what is being read. */
  readonly show: (key: string, answer: T) => void;
  readonly problems: ShallowReactive<Map<string, Problem>>;
}

/**
 * As `useLiveData`, for many things of a kind by their id.
 * @param changedBy ids of what an event makes out of date; null for all
 * @param everyMs one of them is read again at most this often
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
    ) => readonly string[] | null;
    readonly everyMs?: number;
  },
): LiveMap<T> {
  const live = useLiveStore();
  const data = shallowReactive(new Map<string, T>());
  const problems = shallowReactive(new Map<string, Problem>());
  const questions = new Map<string, symbol>();

  function show(key: string, answer: T): void {
    questions.delete(key);
    data.set(key, answer);
    problems.delete(key);
  }

  async function load(key: string, refresh?: boolean): Promise<void> {
    const asked = Symbol(key);
    questions.set(key, asked);
    try {
      const answer = await read(key, refresh);
      if (questions.get(key) === asked) show(key, answer);
    } catch (error) {
      if (questions.get(key) === asked) problems.set(key, toProblem(error));
    }
  }

  const loadAgain = (key: string): void => {
    if (data.has(key)) void load(key);
  };
  const loadSoon = everyMs === 0 ? loadAgain : throttleByKey(everyMs, loadAgain);
  live.on((event) => {
    if (event.type === 'workspace.changed') {
      questions.clear();
      data.clear();
      problems.clear();
    } else (changedBy(event, data) ?? [...data.keys()]).forEach(loadSoon);
  });
  live.onResumed(() => [...data.keys()].forEach(loadAgain));
  return { load, data, show, problems };
}
