import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import { readWhole } from '../lib/desk-bytes.ts';
import { usePhotoStudio } from '../lib/photos/photo-studio.ts';
import type { PhotoView } from '../lib/photos/photo-view.ts';
import { useTransport } from '../transport/transport.ts';

/**
 * The small pictures of photos, by their content. Each is made once, and is released when the page
 * is left.
 */
export const usePhotoViewsStore = defineStore('photoViews', () => {
  const { files } = useTransport();
  const studio = usePhotoStudio();
  const views = shallowReactive(new Map<string, PhotoView>());
  let wanted: readonly Attachment[] = [];
  let working = false;

  /**
   * Makes the missing pictures in this order. A later request comes before the rest of this one.
   */
  async function look(draftId: string, photos: readonly Attachment[]): Promise<void> {
    wanted = photos;
    if (working) return;
    working = true;
    try {
      for (;;) {
        const next = wanted.find(({ sha256 }) => !views.has(sha256));
        if (!next) return;
        await make(draftId, next);
      }
    } finally {
      working = false;
    }
  }

  async function make(draftId: string, { id, sha256, contentType }: Attachment): Promise<void> {
    try {
      const content = await readWhole(files.attachmentUrl(draftId, id), { type: contentType });
      const { jpeg, ...seen } = await studio.run({ kind: 'look', content });
      views.set(sha256, { ...seen, url: URL.createObjectURL(jpeg) });
    } catch {
      // The picture is not requested again. Its place stays empty, and the photo is still in the
      // report.
      wanted = wanted.filter((photo) => photo.sha256 !== sha256);
    }
  }

  function forget(): void {
    wanted = [];
    for (const { url } of views.values()) URL.revokeObjectURL(url);
    views.clear();
  }

  return { views, look, forget };
});
