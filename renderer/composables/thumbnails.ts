import { inject, type InjectionKey } from 'vue';
import { takeTurns } from './in-turn.ts';

const keptMax = 400;

export interface ThumbnailSource {
  /** Of a document or an attachment, whose content never changes. */
  readonly id: string;
  readonly url: string;
  readonly contentType: string;
}

/** Null where the document is there and none can be made of it; throws where another time may do. */
export type DrawThumbnail = (
  source: ThumbnailSource,
  signal: AbortSignal,
) => Promise<string | null>;

export interface Thumbnails {
  /**
   * A small picture of a document as a data address, made one after the other; null where there
   * is none. Nobody waits for it: a reader that is gone aborts.
   */
  readonly make: DrawThumbnail;
  /** Forgets all that were made, because what they show belongs to another workspace. */
  readonly forget: () => void;
}

/** The window's small pictures (stores/thumbnails-store.ts). */
export const thumbnailsKey: InjectionKey<Thumbnails> = Symbol('thumbnails');

export function useThumbnails(): Thumbnails {
  const thumbnails = inject(thumbnailsKey);
  if (!thumbnails) throw new Error('no small pictures were provided');
  return thumbnails;
}

/** @param draw makes one small picture; it never runs twice at once. */
export function createThumbnails(draw: DrawThumbnail): Thumbnails {
  /** By document; null where none can be made. The oldest go first. */
  let kept = new Map<string, string | null>();
  const inTurn = takeTurns();

  function keep(id: string, picture: string | null): void {
    kept.set(id, picture);
    for (const oldest of kept.keys()) {
      if (kept.size <= keptMax) return;
      kept.delete(oldest);
    }
  }

  async function make(source: ThumbnailSource, signal: AbortSignal): Promise<string | null> {
    const known = kept.get(source.id);
    if (known !== undefined) return known;
    return inTurn(async () => {
      if (signal.aborted) return null;
      const keptBefore = kept;
      try {
        const picture = await draw(source, signal);
        if (kept === keptBefore) keep(source.id, picture);
        return picture;
      } catch {
        // Not kept: it is tried again when it is next looked at.
        return null;
      }
    });
  }

  return {
    make,
    forget() {
      kept = new Map();
    },
  };
}
