import type { Amounts } from '#shared/desk/amounts.ts';
import type { CaseDetail } from '#shared/desk/cases.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveMap } from './live-data.ts';

/** Cases stored for a quick way back. */
const cachedDetailsMax = 12;

/** The cases that are open or were, and what the user sets in them: queued on this laptop. */
export function useCaseDetails() {
  const { client } = useTransport();

  async function read(id: string): Promise<CaseDetail> {
    const detail = await client.cases.get({ id });
    const before = details.get(id);
    // An equal detail is reused, so that nothing of it is drawn again.
    return before && JSON.stringify(before) === JSON.stringify(detail) ? before : detail;
  }
  const {
    data: details,
    problems,
    load,
  } = useLiveMap<CaseDetail>(read, {
    changedBy: (event) => {
      if (event.type === 'documents.changed') return [event.caseId];
      return event.type === 'cases.changed' ? event.caseIds : [];
    },
  });

  /** Opened last comes last. */
  let opened: readonly string[] = [];
  async function open(id: string): Promise<void> {
    opened = [...opened.filter((one) => one !== id), id];
    for (const oldest of opened.slice(0, -cachedDetailsMax)) details.delete(oldest);
    opened = opened.slice(-cachedDetailsMax);
    await load(id);
  }

  /** Reads a case that is likely to be the next: it is there with the key that opens it. */
  async function readAhead(id: string): Promise<void> {
    if (details.has(id)) return;
    await open(id);
    // A failure is shown when the case is opened.
    problems.delete(id);
  }

  /** Null clears. */
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

  /** What changed at the partner, by case. */
  const {
    data: histories,
    load: loadHistory,
    problems: historyProblems,
  } = useLiveMap((id) => client.cases.history({ id }), {
    changedBy: (event) => (event.type === 'cases.changed' ? event.caseIds : []),
  });

  return {
    ...{ details, detailProblems: problems, open, readAhead },
    ...{ histories, historyProblems, loadHistory },
    ...{ setAmounts, setComment, reopen },
  };
}
