import { shallowRef } from 'vue';
import type { Amounts } from '#shared/desk/cases/amounts.ts';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveMap } from './live-data.ts';

/** The maximum number of cases that are stored, so that the user returns to them quickly. */
const cachedDetailsMax = 12;
/** An opened case is offered for this long where the user has typed nothing yet. */
const recentMs = 3_600_000;

/**
 * The cases that are or were open, and the values that the user sets in them. The values are queued
 * on this laptop.
 */
export function useCaseDetails() {
  const { client } = useTransport();

  async function readDetail(id: string): Promise<CaseDetail> {
    const detail = await client.cases.get({ id });
    const before = details.get(id);
    // An equal detail is reused, so that nothing of it is drawn again.
    return before && JSON.stringify(before) === JSON.stringify(detail) ? before : detail;
  }
  const {
    data: details,
    problems,
    load,
    forget,
  } = useLiveMap<CaseDetail>(readDetail, {
    changedBy: (event) => {
      if (event.type === 'documents.changed') return [event.caseId];
      return event.type === 'cases.changed' ? event.caseIds : [];
    },
  });

  /** The cases that the user opened in this window, the last one first. */
  const visits = shallowRef<readonly { readonly id: string; readonly atMs: number }[]>([]);
  /** The stored cases of those that the user opened in the last hour, the last one first. */
  function recent(nowMs: number): readonly CaseDetail[] {
    return visits.value
      .filter(({ atMs }) => nowMs - atMs <= recentMs)
      .flatMap(({ id }) => details.get(id) ?? []);
  }

  async function open(id: string): Promise<void> {
    visits.value = [{ id, atMs: Date.now() }, ...visits.value.filter((one) => one.id !== id)].slice(
      0,
      cachedDetailsMax,
    );
    await read(id);
  }

  /** The ids of the loaded cases. The case that was loaded last is at the end. */
  let opened: readonly string[] = [];
  async function read(id: string): Promise<void> {
    opened = [...opened.filter((one) => one !== id), id];
    for (const oldest of opened.slice(0, -cachedDetailsMax)) forget(oldest);
    opened = opened.slice(-cachedDetailsMax);
    await load(id);
  }

  /**
   * Reads a case that is likely to be opened next, so that it is available when the user opens it.
   */
  async function readAhead(id: string): Promise<void> {
    if (details.has(id)) return;
    await read(id);
    // A failure is shown when the case is opened.
    problems.delete(id);
  }

  /** Sets the amounts of a case. A null clears an amount. */
  async function setAmounts(id: string, amounts: Amounts): Promise<void> {
    await client.cases.setAmounts({ id, ...amounts });
    await open(id);
  }

  async function setComment(id: string, text: string): Promise<void> {
    await client.cases.setComment({ id, text });
    await open(id);
  }

  async function reopen(id: string, reason: string): Promise<void> {
    await client.cases.reopen({ id, reason });
    await open(id);
  }

  /** The changes at the partner by the id of the case. */
  const {
    data: histories,
    load: loadHistory,
    problems: historyProblems,
  } = useLiveMap((id) => client.cases.history({ id }), {
    changedBy: (event) => (event.type === 'cases.changed' ? event.caseIds : []),
  });

  return {
    details,
    detailProblems: problems,
    open,
    recent,
    readAhead,
    histories,
    historyProblems,
    loadHistory,
    setAmounts,
    setComment,
    reopen,
  };
}
