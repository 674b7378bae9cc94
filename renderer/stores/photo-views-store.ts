import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { Attachment } from '#shared/desk/reports.ts';
import { readWhole } from '../composables/desk-bytes.ts';
import { usePhotoStudio } from '../composables/photos/photo-studio.ts';
import type { PhotoView } from '../composables/photos/photo-view.ts';
import { useTransport } from '../transport/transport.ts';

/** Small pictures of photos, by their content; made once and let go when the page is left. */
export const usePhotoViewsStore = defineStore('photoViews', () => {
  const { files } = useTransport();
  const studio = usePhotoStudio();
  const views = shallowReactive(new Map<string, PhotoView>());
  let wanted: readonly Attachment[] = [];
  let working = false;

  /** Makes what is missing, in this order; a later request comes before the rest of this one. */
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
      // Not asked for again: its place stays empty, and the photo is in the report all the same.
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
