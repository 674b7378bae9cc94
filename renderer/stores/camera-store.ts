import { defineStore } from 'pinia';
import { shallowReactive, shallowRef } from 'vue';
import type { CameraOffer, CameraPhoto } from '#shared/desk/reports/camera.ts';
import { toProblem, type Problem } from '../lib/problem.ts';
import { createLatest } from '../lib/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';
import { useLiveStore } from './live-store.ts';
import { usePhotosStore } from './photos-store.ts';
import { useDraftFilesStore } from './draft-files-store.ts';

/** A photo of the watched folder that could not be added. */
interface RefusedPhoto {
  readonly fileName: string;
  readonly problem: Problem;
}

/** The new photos of the watched folder, which are offered to the open draft. */
export const useCameraStore = defineStore('camera', () => {
  const { client } = useTransport();
  const draftFiles = useDraftFilesStore();
  const photos = usePhotosStore();
  const read = useLiveData(() => client.camera.folder(), { ofDesk: true });
  const folder = read.data;
  /** The offered photos by the id of the draft. */
  const offers = shallowReactive(new Map<string, CameraOffer>());
  const refused = shallowReactive(new Map<string, readonly RefusedPhoto[]>());
  /** The number of chosen photos that are in the draft, and the number of all chosen photos. */
  const progress = shallowRef<{ draftId: string; done: number; total: number } | null>(null);

  async function setFolder(path: string | null): Promise<void> {
    folder.value = await client.camera.setFolder({ folder: path });
    forgetOffers();
  }

  /** Looks for new photos, unless photos are being added. */
  async function look(draftId: string): Promise<void> {
    if (progress.value !== null) return;
    await latest.ask(
      () => client.camera.offered({ draftId }),
      (offered) => offers.set(draftId, offered),
    );
  }
  const latest = createLatest();
  /** The photos of the former folder, or of another workspace, are no longer offered. */
  function forgetOffers(): void {
    latest.drop();
    offers.clear();
  }

  /**
   * Copies photos into the draft, one after the other. A photo that cannot be added is reported by
   * name.
   */
  async function take(draftId: string, chosen: readonly CameraPhoto[]): Promise<void> {
    const failed: RefusedPhoto[] = [];
    await draftFiles.during(draftId, 'photos', async () => {
      // What is being looked at was offered before these photos are taken.
      latest.drop();
      try {
        for (const [done, { id, fileName }] of chosen.entries()) {
          progress.value = { draftId, done, total: chosen.length };
          await client.camera
            .take({ draftId, id })
            .catch((error: unknown) => failed.push({ fileName, problem: toProblem(error) }));
        }
      } finally {
        progress.value = null;
        refused.set(draftId, failed);
      }
    });
    await look(draftId);
    await draftFiles.openDraft(draftId);
    await photos.catchUp(draftId);
  }

  async function leave(draftId: string, left: readonly CameraPhoto[]): Promise<void> {
    await client.camera.leave({ ids: left.map(({ id }) => id) });
    await look(draftId);
  }

  useLiveStore().on(({ type }) => {
    if (type !== 'workspace.changed') return;
    forgetOffers();
    refused.clear();
  });
  return {
    folder,
    loadFolder: read.load,
    folderProblem: read.problem,
    offers,
    refused,
    progress,
    setFolder,
    look,
    take,
    leave,
  };
});
