import type { LedgerKind } from '#shared/desk/delivery/ledger-counts.ts';
import type { LedgerEntry } from '#shared/desk/delivery/ledger.ts';
import { zurichTime } from '#shared/lib/zurich-day.ts';
import type { Command } from '../command.ts';
import { presentTime } from '../desk-time.ts';

const kinds: Readonly<Record<LedgerKind, string>> = {
  conflict: 'Conflict',
  attention: 'Needs a decision',
  typed: 'Typed, not saved',
  draft: 'Report draft',
  batch: 'Batch',
  visit: 'Visit',
  unclear: 'Outcome unknown',
  waiting: 'Waiting',
};

const waits = {
  acceptance: 'until the insurer accepts the case',
  paused: 'delivery is paused',
  network: 'for the network',
  turn: 'for its turn',
};

const number = (n: number, word: string) => `${String(n)} ${word}${n === 1 ? '' : 's'}`;

/** The content of an entry in a few words. */
function contentOf(entry: LedgerEntry): string {
  const { kind, queueId, queueKind, waitsFor, parts, files, missing } = entry;
  if (kind === 'typed') return parts.join(', ');
  if (kind === 'draft' || kind === 'batch') return number(files, 'file');
  if (kind === 'visit') return `no ${missing.join(', no ')}`;
  const waiting = waitsFor === null ? '' : `, ${waits[waitsFor]}`;
  return `entry ${String(queueId)}: ${String(queueKind)}${waiting}`;
}

/** The command that continues with an entry, or where the desk's window does. */
function nextOf({ kind, act, queueId, draftId }: LedgerEntry): string {
  if (kind === 'draft') return act === 'submit' ? `draft ${String(draftId)}` : 'in the window';
  if (act === 'decide') return `queue --retry ${String(queueId)} or --discard ${String(queueId)}`;
  if (act === 'look') return kind === 'unclear' ? 'sync' : '';
  return 'in the window';
}

/** Lists everything that the user began and did not bring to its end. */
export function unfinished(): Command {
  return async ({ engine, output }) => {
    const { items, total, counts } = await engine.day.unfinished({});
    const columns = [
      { title: 'What', of: ({ kind }: LedgerEntry) => kinds[kind] },
      {
        title: 'Case',
        of: ({ externalKey, caseId }: LedgerEntry) => externalKey || (caseId ?? ''),
      },
      { title: 'Since', of: ({ since }: LedgerEntry) => shownTime(since) },
      { title: 'Content', of: contentOf },
      { title: 'Next', of: nextOf },
      {
        title: 'Postponed',
        of: ({ postponed }: LedgerEntry) =>
          postponed === null ? '' : `until ${postponed.until}: ${postponed.reason}`,
      },
    ];
    const status = await engine.sync.status();
    presentTime(status, output);
    if (total === 0) output.remark('Nothing is unfinished.');
    const { clock } = status;
    output.list(items, total, columns, { counts, ...(clock && { clock }) });
  };
}

/** A day stays a day; a moment is shown in the time of Zurich. */
const shownTime = (since: string) =>
  since.length === 10 ? since : (zurichTime(since)?.slice(0, 16) ?? since);
