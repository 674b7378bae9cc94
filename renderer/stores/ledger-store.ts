import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { LedgerEntry } from '#shared/desk/delivery/ledger.ts';
import { type LedgerKind, ledgerKinds, noLedger } from '#shared/desk/delivery/ledger-counts.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveRead } from './live-data.ts';
import { useSyncStore } from './sync-store.ts';
import { useUndoStore } from './undo-store.ts';

/** The minimum interval between two readings after events. */
const readEveryMs = 500;

const changing: ReadonlySet<DeskEvent['type']> = new Set([
  'cases.changed',
  'reports.changed',
  'batch.changed',
  'day.changed',
  'queue.changed',
]);

/**
 * The unfinished work. Its counts are those of the status, so that every place shows the same
 * counts. The entries are read only for the page that shows them.
 */
export const useLedgerStore = defineStore('ledger', () => {
  const { client } = useTransport();
  const sync = useSyncStore();
  const undos = useUndoStore();
  const counts = computed(() => sync.status?.unfinished ?? noLedger());
  const entries = shallowRef<readonly LedgerEntry[]>([]);
  const loaded = shallowRef(false);

  /** The pages that are shown, with the kinds that they list. */
  const asked = new Map<string, readonly LedgerKind[]>();
  let known = '';
  /**
   * Whether an event changes what an entry waits for, or whether a typed text is new. Only the
   * status contains these.
   */
  function changesStatus(event: DeskEvent): boolean {
    if (event.type !== 'sync.changed') return false;
    const { paused, network, unfinished } = event.status;
    const now = JSON.stringify([paused, network, unfinished]);
    const isOther = now !== known;
    known = now;
    return isOther;
  }
  const { load, loadAgain, outdate, problem } = useLiveRead(
    async () => {
      const kinds = ledgerKinds.filter((kind) =>
        [...asked.values()].some((some) => some.includes(kind)),
      );
      return (await client.day.unfinished({ kinds })).items;
    },
    (items) => {
      entries.value = items ?? [];
      loaded.value = items !== null;
    },
    {
      changedBy: (event) => asked.size > 0 && (changing.has(event.type) || changesStatus(event)),
      everyMs: readEveryMs,
      followsDay: () => asked.size > 0,
    },
  );

  /** Reads the entries for a page, and reads them again after changes until the page is left. */
  async function show(page: string, kinds: readonly LedgerKind[]): Promise<void> {
    asked.set(page, kinds);
    // The entries of another page may not include all kinds that this page lists.
    loaded.value = false;
    entries.value = [];
    await Promise.all([load(), sync.status === null ? sync.load() : null]);
  }
  const leave = (page: string): void => void asked.delete(page);

  /** Removes an entry that an act has ended, before the entries are read again. */
  function drop(key: string): void {
    entries.value = entries.value.filter((entry) => entry.key !== key);
    // A reading that began before the act would show the entry again.
    outdate();
    loadAgain();
  }

  const saveTyped = (caseId: string) => client.cases.saveTyped({ id: caseId });

  /** Postpones an entry until tomorrow. The user can take this back. */
  async function postpone(key: string, reason: string): Promise<void> {
    await undos.acting(async () => {
      await client.day.postpone({ key, reason });
      undos.offer({ key: 'undo.postponed', params: {}, undo: () => resume(key) });
    });
    await load();
  }

  async function resume(key: string): Promise<void> {
    await client.day.postpone({ key, reason: null });
    await load();
  }

  const of = (...kinds: readonly LedgerKind[]): readonly LedgerEntry[] =>
    entries.value.filter(({ kind }) => kinds.includes(kind));

  return { counts, entries, loaded, problem, of, show, leave, drop, saveTyped, postpone, resume };
});
