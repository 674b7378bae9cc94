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
/** The place of a window in the screen's pixels. */
export type WindowPlace = z.infer<typeof placeSchema>;

/** The stored place; null if there is none or it cannot be read. */
export function readPlace(file: string): WindowPlace | null {
  try {
    return placeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The window then opens in the middle of the screen.
    return null;
  }
}

/**
 * The stored place if the user can reach it: enough of the window's upper edge must be on a present
 * screen, because screens may be unplugged.
 * @param areas the work areas of the screens
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

/** The place of a further window: as large as the one before, and slightly moved. */
export function beside({ x, y, width, height }: Rectangle): WindowPlace {
  return { x: x + 32, y: y + 32, width, height, isMaximized: false };
}

/** Stores the window's place whenever it closes. */
export function keepPlace(window: BrowserWindow, file: string): void {
  window.on('close', () => {
    const place = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify(place), { mode: 0o600 });
    } catch {
      // A full disk must not prevent a window from closing.
    }
  });
}
