import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import { amountsOf } from '#shared/desk/cases/amounts.ts';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type {
  QueueEdit,
  QueueItem,
  QueueKind,
  RetryDecision,
} from '#shared/desk/delivery/queue.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveRead } from './live-data.ts';
import { useLiveStore } from './live-store.ts';
import { useUndoStore } from './undo-store.ts';

/** The maximum number of acts that the engine returns. */
const actsMax = 5000;

/** The acts of the user and their progress, updated by events. */
export const useQueueStore = defineStore('queue', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const undos = useUndoStore();
  const items = shallowReactive(new Map<number, QueueItem>());
  const loaded = shallowRef(false);
  const newestFirst = computed(() => [...items.values()].sort((a, b) => b.id - a.id));

  /**
   * Whether an event names a case that was not available when its acts were read, for example after
   * the cache was made again.
   */
  const namesOne = (event: DeskEvent): boolean =>
    event.type === 'cases.changed' &&
    [...items.values()].some(
      ({ caseId, partyName }) =>
        partyName === '' && (event.caseIds === null || event.caseIds.includes(caseId)),
    );
  let lastWaiting = '';
  /**
   * Remembers the pause and the network of a status, which decide what acts wait for and are
   * announced nowhere else.
   * @returns whether they have changed since the last status
   */
  function changesWaiting(event: DeskEvent): boolean {
    if (event.type !== 'sync.changed') return false;
    const { paused, network } = event.status;
    const waiting = JSON.stringify([paused, network]);
    const isOther = waiting !== lastWaiting;
    lastWaiting = waiting;
    return isOther;
  }
  /** The acts that are shown as they became during a reading, whose answer may be older. */
  const newer = new Set<number>();
  function show(item: QueueItem): void {
    newer.add(item.id);
    items.set(item.id, item);
  }
  const { load, problem } = useLiveRead(
    () => {
      newer.clear();
      return client.queue.list({}).finally(() => (loaded.value = true));
    },
    (answer) => {
      if (answer === null) newer.clear();
      const read = answer?.items ?? [];
      const known = new Set([...newer, ...read.map(({ id }) => id)]);
      for (const id of Array.from(items.keys())) if (!known.has(id)) items.delete(id);
      for (const item of read) if (!newer.has(item.id)) items.set(item.id, item);
    },
    { changedBy: (event) => namesOne(event) || changesWaiting(event) },
  );

  const ofCase = (caseId: string): QueueItem[] =>
    newestFirst.value.filter((item) => item.caseId === caseId);

  /** Returns all acts, or those of one case, including acts that are too old for the page. */
  const acts = async (caseId?: string): Promise<readonly QueueItem[]> =>
    (await client.queue.list({ caseId, limit: actsMax })).items;

  /**
   * Returns the acts that were delivered on a day in Zurich, newest first, including those that are
   * too old for the page.
   */
  const deliveredOn = async (day: string): Promise<readonly QueueItem[]> =>
    (await client.queue.list({ deliveredOn: day, limit: actsMax })).items;

  /** The acts of a case for which the user has to choose between two values. */
  const undecided = (caseId: string): QueueItem[] =>
    ofCase(caseId).filter(({ state, conflicts }) => state === 'attention' && conflicts.length > 0);
  /** The newest act of a kind on a case, unless it was discarded. */
  const latest = (caseId: string, kind: QueueKind): QueueItem | undefined =>
    ofCase(caseId).find((item) => item.kind === kind && item.state !== 'discarded');

  /** @param decision the user's decision about what the partner has in addition to a report */
  async function retry(id: number, decision?: RetryDecision): Promise<void> {
    show(await client.queue.retry({ id, decision }));
  }

  const discard = (id: number): Promise<void> =>
    undos.acting(async () => {
      const item = await client.queue.discard({ id });
      show(item);
      undos.offer({ key: 'undo.act', params: {}, undo: () => queueAgain(item) });
    });

  /**
   * Queues an equal act with a separate key. The discarded act stays unchanged. Reports do not
   * replace each other.
   * @throws {DeskError} newer_act if the user has queued another act of this kind since
   */
  async function queueAgain({ id: discarded, caseId: id, kind, act }: QueueItem): Promise<void> {
    const isNewer = (one: QueueItem) =>
      one.id > discarded && one.kind === kind && one.state !== 'discarded';
    const newer = kind === 'report' ? undefined : (await acts(id)).find(isNewer);
    if (newer) throw new DeskError('newer_act', { id: newer.id });
    if (act.kind === 'amounts') {
      await client.cases.setAmounts({ id, ...amountsOf(act) });
    } else if (act.kind === 'comment') await client.cases.setComment({ id, text: act.text });
    else if (act.kind === 'reopen') await client.cases.reopen({ id, reason: act.reason });
    else await client.reports.submitDraft({ draftId: act.draftId });
    await load();
  }

  /** Changes the values of an act that waits or needs attention. */
  async function edit(change: QueueEdit): Promise<void> {
    show(await client.queue.edit(change));
  }

  /** Turns a report that is not being sent into a draft again. @returns the id of the draft */
  async function takeReportBack(id: number): Promise<string> {
    const draft = await client.queue.takeReportBack({ id });
    await load();
    return draft.id;
  }

  live.on((event) => {
    if (event.type === 'queue.changed') show(event.item);
    if (event.type === 'queue.progress') {
      const item = items.get(event.id);
      if (!item) return;
      const steps = item.steps.map((step) =>
        step.id === event.stepId ? { ...step, sentBytes: event.sentBytes } : step,
      );
      items.set(item.id, { ...item, steps });
    }
  });
  return {
    items,
    newestFirst,
    loaded,
    problem,
    load,
    ofCase,
    undecided,
    acts,
    deliveredOn,
    latest,
    retry,
    discard,
    edit,
    takeReportBack,
  };
});
