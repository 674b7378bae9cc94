import { defineStore } from 'pinia';
import { drawThumbnail } from '../composables/draw-thumbnail.ts';
import { createThumbnails } from '../composables/thumbnails.ts';
import { useLiveStore } from './live-store.ts';

/** The small pictures of documents, for as long as their workspace is open. */
export const useThumbnailsStore = defineStore('thumbnails', () => {
  const live = useLiveStore();
  const thumbnails = createThumbnails(drawThumbnail);
  live.on((event) => {
    if (event.type === 'workspace.changed') thumbnails.forget();
  });
  return thumbnails;
});
