import { defineStore } from 'pinia';
import { useTransport } from '../transport/transport.ts';
import { useAutosave } from './autosave.ts';
import { useLiveMap } from './live-data.ts';
import { useReportsStore } from './reports-store.ts';

/**
 * The reasons why reports were returned: the user's notes, and the counts for the insurer of a
 * case.
 */
export const useReturnsStore = defineStore('returns', () => {
  const { client } = useTransport();
  const reports = useReportsStore();
  const {
    data: counts,
    load,
    problems,
  } = useLiveMap((caseId) => client.reports.returns({ id: caseId }), {
    changedBy: (event) => (event.type === 'reports.changed' ? [event.caseId] : []),
    everyMs: 1000,
  });

  const caseOf = (submissionId: string): string | undefined =>
    [...reports.lists].find(([, { items }]) => items.some(({ id }) => id === submissionId))?.[0];
  const noteOf = (submissionId: string) =>
    [...reports.lists.values()].flatMap(({ items }) => items).find(({ id }) => id === submissionId)
      ?.note;

  const autosave = useAutosave({
    save: (submissionId, text, by) =>
      client.reports.noteReturn({
        id: caseOf(submissionId) ?? '',
        submissionId,
        text: text ?? '',
        by,
      }),
    show: (submissionId, text) => shown(submissionId, text ?? ''),
    readAgain: (submissionId) => reports.load(caseOf(submissionId) ?? ''),
    keyOf: ({ place, id }) => (place === 'return' ? id : null),
  });
  /** Shows a text from another window in the list that was read before. */
  function shown(submissionId: string, text: string): void {
    const caseId = caseOf(submissionId);
    if (caseId === undefined) return;
    reports.change(caseId, (list) => ({
      ...list,
      items: list.items.map((report) => {
        if (report.id !== submissionId) return report;
        const reason = report.note?.reason ?? null;
        return { ...report, note: reason === null && text === '' ? null : { reason, text } };
      }),
    }));
  }
  const textOf = (submissionId: string): string =>
    autosave.unstored.get(submissionId) ?? noteOf(submissionId)?.text ?? '';

  /** Notes the reason. A null takes it back. The text of the note stays. */
  async function setReason(caseId: string, submissionId: string, reason: string | null) {
    await client.reports.noteReturn({ id: caseId, submissionId, reason });
    await Promise.all([reports.load(caseId), load(caseId)]);
  }

  const { change: setText, storedOf, problem } = autosave;
  return { counts, load, problems, textOf, setText, setReason, storedOf, problem };
});
