import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import { z } from 'zod';

const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(900).max(20_000),
  height: z.int().min(600).max(20_000),
  isMaximized: z.boolean(),
});
/** Where a window was, in the screen's own pixels. */
export type WindowPlace = z.infer<typeof placeSchema>;

/** The stored place; null if nothing is stored, or it cannot be read. */
export function readPlace(file: string): WindowPlace | null {
  try {
    return placeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The middle of the screen will do.
    return null;
  }
}

/**
 * The stored place if the user can reach it: enough of the window's upper edge has to be on a
 * screen that is there now, because screens are unplugged.
 *
 * @param areas work areas of the screens
 */
export function reachable(
  place: WindowPlace | null,
  areas: readonly Rectangle[],
): WindowPlace | null {
  if (!place) return null;
  const isReachable = areas.some(
    (area) =>
      Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x) >= 200 &&
      place.y >= area.y &&
      place.y <= area.y + area.height - 100,
  );
  return isReachable ? place : null;
}

/** Where a further window comes: as large as the one before, and a little next to it. */
export function beside({ x, y, width, height }: Rectangle): WindowPlace {
  return { x: x + 32, y: y + 32, width, height, isMaximized: false };
}

/** Keeps the window's place whenever it closes. */
export function keepPlace(window: BrowserWindow, file: string): void {
  window.on('close', () => {
    const place = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify(place), { mode: 0o600 });
    } catch {
      // A full disk must not keep a window open.
    }
  });
}
