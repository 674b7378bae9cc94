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
  type VisitInput,
} from '#shared/desk/cases/day.ts';
import { addDays } from '#shared/lib/zurich-day.ts';
import { createLatest, throttleByKey } from '../lib/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useAttempt } from '../composables/use-attempt.ts';
import { useLiveRead } from './live-data.ts';
import { useLiveStore } from './live-store.ts';
import { createTodayPlace } from './today-place.ts';

const refreshDelayMs = 250;
/**
 * The minimum interval between two checks of what the days need. That can be a thousand documents,
 * which are checked again while they arrive.
 */
const readyEveryMs = 10_000;

/**
 * The number of cases that are shown at first. A day is planned as a whole. Few overdue cases are
 * shown, so that the days stay in reach.
 */
const shownAtFirst = { overdue: 5, today: 500, tomorrow: 500 };

/** The days for which the user leaves the office. */
export const leaveChoices = ['today', 'tomorrow', 'both', 'week'] as const;
export type LeaveChoice = (typeof leaveChoices)[number];

/** Returns the first and the last day of a choice, if the present day is `day`. */
function daysOf(choice: LeaveChoice, day: string): { from: string; to: string } {
  const tomorrow = addDays(day, 1);
  return {
    today: { from: day, to: day },
    tomorrow: { from: tomorrow, to: tomorrow },
    both: { from: day, to: tomorrow },
    week: { from: day, to: addDays(day, 6) },
  }[choice];
}

function idsOf(today: Today | null): Set<string> {
  const sections = Object.values(today?.sections ?? {});
  return new Set(sections.flatMap(({ items }) => items.map(({ summary }) => summary.id)));
}

/** Returns the day with some of its visits replaced by those that were read last. */
function withVisits(today: Today, read: ReadonlyMap<string, Visit>): Today {
  const sections = { ...today.sections };
  for (const name of daySections) {
    const { items, total } = sections[name];
    if (!items.some(({ summary }) => read.has(summary.id))) continue;
    sections[name] = { items: items.map((visit) => read.get(visit.summary.id) ?? visit), total };
  }
  return { ...today, sections };
}

/** What the laptop has of the chosen days. */
function useReadiness(days: () => ReturnType<typeof daysOf> | null) {
  const { client } = useTransport();
  const ready = shallowRef<Readiness | null>(null);
  const latest = createLatest();
  async function loadReady(): Promise<void> {
    const asked = days();
    if (!asked) return;
    await latest.ask(
      () => client.day.ready(asked),
      (answer) => (ready.value = answer),
    );
  }
  function forgetReady(): void {
    latest.drop();
    ready.value = null;
  }
  return { ready, loadReady, forgetReady };
}

/** The visits of the day, and whether the laptop has everything that they need. */
export const useTodayStore = defineStore('today', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const today = shallowRef<Today | null>(null);
  /** The sections of which the user requested all cases. */
  const whole = shallowReactive(new Set<DaySection>());

  const choice = shallowRef<LeaveChoice>('both');
  /** The check continues, and its problem stays, while another page is shown. */
  const { problem: checkProblem, attempt } = useAttempt();

  const days = computed(() => today.value && daysOf(choice.value, today.value.day));
  const { ready, loadReady, forgetReady } = useReadiness(() => days.value);

  const { load, loadAgain, problem } = useLiveRead(
    async () => {
      const show = Object.fromEntries([...whole].map((name) => [name, dayItemsMax]));
      return client.day.today({ show: { ...shownAtFirst, ...show } });
    },
    (answer) => {
      today.value = answer;
      if (answer === null) forgetReady();
      // After a failure the check shows what was known before.
      if (answer) void loadReady().catch(() => undefined);
    },
    { followsDay: () => isShown && today.value !== null },
  );

  // The next reading of the day shows a failure.
  const loadReadySoon = throttleByKey(readyEveryMs, () => void loadReady().catch(() => undefined));

  async function choose(chosen: LeaveChoice): Promise<void> {
    choice.value = chosen;
    await loadReady();
  }

  /** Syncs, and then fetches everything for the chosen days. */
  async function makeReady(): Promise<void> {
    const asked = days.value;
    if (!asked || ready.value?.checking) return;
    if (ready.value) ready.value = { ...ready.value, checking: true };
    await attempt(() => client.day.makeReady(asked));
    await load();
  }

  async function showAll(name: DaySection): Promise<void> {
    whole.add(name);
    await load();
  }

  async function setVisit(change: VisitInput): Promise<void> {
    await client.day.setVisit(change);
    await load();
  }

  /** @param order ids of the day's cases; null restores the order of the postal codes */
  async function setPlan(day: string, order: readonly string[] | null): Promise<void> {
    await client.day.setPlan({ day, order: order && [...order] });
    await load();
  }

  /** Sets the times of visits by their ids, and the order of their day. */
  async function setDay(
    day: string,
    order: readonly string[] | null,
    times: ReadonlyMap<string, string | null>,
  ): Promise<void> {
    for (const [id, time] of times) await client.day.setVisit({ id, time });
    await setPlan(day, order);
  }

  /** Reads only the visits whose documents changed, because the whole day is much more data. */
  async function loadVisits(ids: readonly string[]): Promise<void> {
    const { items } = ids.length > 0 ? await client.day.visits({ ids: [...ids] }) : { items: [] };
    const read = new Map(items.map((visit) => [visit.summary.id, visit]));
    if (today.value && read.size > 0) today.value = withVisits(today.value, read);
    loadReadySoon('');
  }

  let isShown = false;
  /**
   * The page calls this. While the page is not shown, nothing is read. When it is shown, it reads
   * everything.
   */
  function setShown(shown: boolean): void {
    isShown = shown;
  }

  /**
   * Whether the next refresh reads the whole day. If not, it reads the visits whose documents
   * changed.
   */
  let isWholeDue = false;
  const dueVisits = new Set<string>();
  const refreshSoon = useDebounceFn(
    async () => {
      const shown = idsOf(today.value);
      const ids = [...dueVisits].filter((id) => shown.has(id));
      dueVisits.clear();
      if (isWholeDue) {
        isWholeDue = false;
        loadAgain();
        // After a failure the visits stay as they were, until the day is read again.
      } else await loadVisits(ids).catch(() => undefined);
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
    if (event.type === 'day.changed' || event.type === 'batch.changed') loadSoon();
  });

  return {
    today,
    problem,
    whole,
    choice,
    days,
    ready,
    checkProblem,
    load,
    setShown,
    ...createTodayPlace(),
    choose,
    makeReady,
    showAll,
    setVisit,
    setPlan,
    setDay,
  };
});
