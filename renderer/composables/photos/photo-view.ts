import type { Attachment } from '#shared/desk/reports.ts';
import { differenceOf } from './look-at-photo.ts';
import type { SeenPhoto } from './photo-tasks.ts';

/** A photo's small picture as an address of this window, and what was seen in it. */
export interface PhotoView extends Omit<SeenPhoto, 'jpeg'> {
  readonly url: string;
}

/** Bits of 64 in which two photos of the same view may differ. */
const alikeMax = 5;
/** Below it nothing in a photo has an edge; measured on small pictures. */
const sharpMin = 40;
/** Against the other photos of the report, because a wall has fewer edges than an engine. */
const sharpPart = 0.25;

export interface Suggestions {
  /** Photos that look like an earlier one. */
  readonly doubles: ReadonlySet<string>;
  readonly blurred: ReadonlySet<string>;
}

/** What a person might throw out, by what was seen so far; only ever suggested. */
export function suggestionsOf(
  photos: readonly Attachment[],
  views: ReadonlyMap<string, PhotoView>,
): Suggestions {
  const seen = photos.flatMap(({ id, sha256 }) => {
    const view = views.get(sha256);
    return view ? [{ id, view }] : [];
  });
  const sharpness = seen.map(({ view }) => view.sharpness).sort((one, other) => one - other);
  const usual = sharpness[Math.floor(sharpness.length / 2)] ?? 0;
  const limit = Math.max(sharpMin, usual * sharpPart);
  const doubles = new Set<string>();
  const blurred = new Set<string>();
  seen.forEach(({ id, view }, index) => {
    const isDouble = seen
      .slice(0, index)
      .some((earlier) => differenceOf(earlier.view.likeness, view.likeness) <= alikeMax);
    if (isDouble) doubles.add(id);
    if (view.sharpness < limit) blurred.add(id);
  });
  return { doubles, blurred };
}
