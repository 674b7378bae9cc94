import { useDebounceFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import {
  dayItemsMax,
  daySections,
  type DaySection,
  type Readiness,
  type Today,
  type Visit,
} from '#shared/desk/day.ts';
import { addDays } from '#shared/lib/zurich-day.ts';
import { throttleByKey } from '../composables/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useLiveStore } from './live-store.ts';

const refreshDelayMs = 250;
/**
 * What the days take can be a thousand documents: read again at this interval while they come in.
 */
const readyEveryMs = 10_000;

/** News are few enough to leave the visits in reach; a day is planned as a whole. */
const shownAtFirst = { returned: 6, unsent: 6, assigned: 6, today: 500, tomorrow: 500 };

/** Days that the user leaves for. */
export const leaveChoices = ['today', 'tomorrow', 'both', 'week'] as const;
export type LeaveChoice = (typeof leaveChoices)[number];

function idsOf(today: Today | null): Set<string> {
  const sections = Object.values(today?.sections ?? {});
  return new Set(sections.flatMap(({ items }) => items.map(({ summary }) => summary.id)));
}

/** The day with some of its visits as they were read last. */
function withVisits(today: Today, read: ReadonlyMap<string, Visit>): Today {
  const sections = { ...today.sections };
  for (const name of daySections) {
    const { items, total } = sections[name];
    if (!items.some(({ summary }) => read.has(summary.id))) continue;
    sections[name] = { items: items.map((visit) => read.get(visit.summary.id) ?? visit), total };
  }
  return { ...today, sections };
}

/** What the day begins with, and whether the laptop has all that it takes. */
export const useTodayStore = defineStore('today', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const today = shallowRef<Today | null>(null);
  const problem = shallowRef<Problem | null>(null);
  /** Sections of which the user asked for everything. */
  const whole = shallowReactive(new Set<DaySection>());

  const choice = shallowRef<LeaveChoice>('both');
  const ready = shallowRef<Readiness | null>(null);
  const checkProblem = shallowRef<Problem | null>(null);
  /** Documents and lists of the check under way; 0 of 0 while it syncs. */
  const progress = shallowRef({ done: 0, total: 0 });

  const days = computed(() => {
    const day = today.value?.day;
    if (day === undefined) return null;
    const lasts = { today: day, tomorrow: addDays(day, 1), both: addDays(day, 1) };
    const to = choice.value === 'week' ? addDays(day, 6) : lasts[choice.value];
    return { from: choice.value === 'tomorrow' ? to : day, to };
  });

  async function load(): Promise<void> {
    try {
      const show = Object.fromEntries([...whole].map((name) => [name, dayItemsMax]));
      today.value = await client.day.today({ show: { ...shownAtFirst, ...show } });
      problem.value = null;
      await loadReady();
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

  async function loadReady(): Promise<void> {
    if (days.value) ready.value = await client.day.ready(days.value);
  }

  async function choose(chosen: LeaveChoice): Promise<void> {
    choice.value = chosen;
    await loadReady();
  }

  /** Syncs, then brings everything of the chosen days. */
  async function makeReady(): Promise<void> {
    const asked = days.value;
    if (!asked || ready.value?.checking) return;
    checkProblem.value = null;
    progress.value = { done: 0, total: 0 };
    if (ready.value) ready.value = { ...ready.value, checking: true };
    try {
      await client.day.makeReady(asked);
    } catch (error) {
      checkProblem.value = toProblem(error);
    }
    await load();
  }

  async function showAll(name: DaySection): Promise<void> {
    whole.add(name);
    await load();
  }

  async function setVisit({ summary, time, note }: Visit): Promise<void> {
    await client.day.setVisit({ id: summary.id, time, note });
    await load();
  }

  /** @param order ids of the day's cases; null restores the order of the postal codes */
  async function setPlan(day: string, order: readonly string[] | null): Promise<void> {
    await client.day.setPlan({ day, order: order && [...order] });
    await load();
  }

  /** Reads visits again of which nothing but the documents changed: the whole day is far more. */
  async function loadVisits(ids: readonly string[]): Promise<void> {
    try {
      const { items } = ids.length > 0 ? await client.day.visits({ ids: [...ids] }) : { items: [] };
      const read = new Map(items.map((visit) => [visit.summary.id, visit]));
      if (today.value && read.size > 0) today.value = withVisits(today.value, read);
      loadReadySoon('ready');
    } catch (error) {
      problem.value = toProblem(error);
    }
  }
  // A failure is shown by the next reading of the day.
  const loadReadySoon = throttleByKey(readyEveryMs, () => void loadReady().catch(() => undefined));

  /**
   * Heights that the page's lists had, by list and part, and where it was left: Back leads there.
   */
  const heights = new Map<string, Map<number, number>>();
  function heightsOf(list: string): Map<number, number> {
    const known = heights.get(list) ?? new Map<number, number>();
    heights.set(list, known);
    return known;
  }
  let left: { readonly position: unknown; readonly top: number } | null = null;
  /** @param position of the page in the window's history */
  function leaveAt(position: unknown, top: number): void {
    left = { position, top };
  }
  const topAt = (position: unknown) => (left !== null && left.position === position ? left.top : 0);

  let isShown = false;
  /** Called by the page: while it is not shown nothing is read, and it reads all when it is. */
  function setShown(shown: boolean): void {
    isShown = shown;
  }

  /** What the next refresh reads: the whole day, or visits of which the documents changed. */
  let isWholeDue = false;
  const dueVisits = new Set<string>();
  const refreshSoon = useDebounceFn(
    async () => {
      const shown = idsOf(today.value);
      const ids = [...dueVisits].filter((id) => shown.has(id));
      dueVisits.clear();
      if (isWholeDue) {
        isWholeDue = false;
        await load();
      } else await loadVisits(ids);
    },
    refreshDelayMs,
    { maxWait: refreshDelayMs },
  );
  function loadSoon(): void {
    if (!isShown || today.value === null) return;
    isWholeDue = true;
    void refreshSoon();
  }
  function loadVisitSoon(id: string): void {
    if (!isShown || today.value === null) return;
    dueVisits.add(id);
    void refreshSoon();
  }
  live.on((event) => {
    if (event.type === 'cases.changed') loadSoon();
    if (event.type === 'documents.changed') loadVisitSoon(event.caseId);
    if (event.type === 'workspace.changed' || event.type === 'day.changed') loadSoon();
    if (event.type === 'task.progress' && event.task === 'ready') {
      progress.value = { done: event.done, total: event.total };
    }
  });
  live.onResumed(loadSoon);

  return {
    today,
    problem,
    whole,
    choice,
    days,
    ready,
    checkProblem,
    progress,
    load,
    setShown,
    heightsOf,
    leaveAt,
    topAt,
    choose,
    makeReady,
    showAll,
    setVisit,
    setPlan,
  };
});
