import { DeskError } from '#shared/desk/errors.ts';
import type {
  RestoredWork,
  WorkBackupDecision,
  WorkBackupList,
} from '#shared/desk/work-package.ts';
import type { Work } from '../work/open-work.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

/** The work that is offered after its file was damaged. */
export function workBackups(work: Work): WorkBackupList {
  const items = work.offered().map(({ id, backedUpAtMs, views, work: { rows, drafts } }) => ({
    id,
    backedUpAt: new Date(backedUpAtMs).toISOString(),
    entries: rows.length,
    drafts: drafts.filter(({ draft }) => draft.queue_id === null).length,
    views: views.length,
  }));
  return { items, total: items.length };
}

/**
 * Takes offered work in, or leaves it aside for good.
 * @throws {DeskError} invalid_input where nothing of this id is offered
 */
export function decideOnWorkBackup(
  { work, client, clock }: Pick<OpenWorkspace, 'work' | 'client' | 'clock'>,
  { id, decision }: WorkBackupDecision,
): RestoredWork | null {
  const offer = work.offered().find((candidate) => candidate.id === id);
  if (!offer) throw new DeskError('invalid_input', { field: 'id', rule: 'unknown_backup' });
  if (decision === 'leave') {
    work.leaveAside(offer);
    return null;
  }
  // The backup knows the laptop's clock alone, and every comparison is with the server's.
  const packedAtMs = offer.backedUpAtMs + client.serverNow() - clock.now();
  const { rowIds, ...counts } = work.takeBack(offer, Math.round(packedAtMs));
  return {
    createdAt: new Date(offer.backedUpAtMs).toISOString(),
    entries: rowIds.length,
    files: offer.work.drafts.reduce((sum, { attachments }) => sum + attachments.length, 0),
    ...counts,
  };
}
