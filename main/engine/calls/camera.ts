import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { assertAbsolute } from '../disk/write-file.ts';
import type { Handlers } from '../engine.ts';
import { WatchedFolder } from '../photos/watched-folder.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import { takeInto } from '../cases/report-drafts.ts';

/** The photos of the watched folder: offers them to a draft, adds them to it, or dismisses them. */
export function cameraCalls(
  opened: () => OpenWorkspace,
  { settings, emit, options }: Pick<DeskParts, 'settings' | 'emit' | 'options'>,
): Handlers['camera'] {
  let watched: WatchedFolder | null = null;
  function current(): WatchedFolder | null {
    const { folder } = settings.watchedFolder;
    if (folder === null) watched = null;
    else if (watched?.folder !== folder)
      watched = new WatchedFolder(folder, () => opened().clock.now(), options.log);
    return watched;
  }
  return {
    folder: () => settings.watchedFolder,
    async setFolder({ folder }) {
      if (folder !== null && !settings.isPolicy('watchedFolder')) await assertFolder(folder);
      settings.setWatchedFolder(folder);
      emit({ type: 'desk.changed' });
      return settings.watchedFolder;
    },
    async offered({ draftId }) {
      const { work, cache } = opened();
      const day = cache.cases.find(work.drafts.get(draftId).caseId)?.inspectionDate ?? null;
      const found = await current()?.look((id) => !work.local.isPhotoDecided(id));
      const items = (found ?? []).map(({ id, fileName, sizeBytes, takenAt }) => ({
        id,
        fileName,
        sizeBytes,
        takenAt,
        isOfVisit: takenAt.slice(0, 10) === day,
      }));
      const isThere = found !== undefined && found !== null;
      return { ...settings.watchedFolder, isThere, items, total: items.length };
    },
    async take({ draftId, id }) {
      const workspace = opened();
      const { work } = workspace;
      const file = current()?.read(id);
      if (!file) throw new DeskError('file_not_found', { fileName: '' });
      await takeInto(workspace, draftId, file, (taken) =>
        work.local.takePhoto(id, () => void work.drafts.addAttachment(draftId, taken)),
      );
      return {};
    },
    leave({ ids }) {
      opened().work.local.leavePhotos(ids);
      return {};
    },
  };
}

/** The folder may be absent later, if it is a memory card; only now it must exist. */
async function assertFolder(folder: string): Promise<void> {
  assertAbsolute('folder', folder);
  const state = await stat(folder).catch(() => null);
  if (state?.isDirectory() !== true)
    throw new DeskError('file_not_found', { fileName: basename(folder) });
}
