import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { decode } from 'jpeg-js';
import type { DeskWindow } from './desk-window.ts';
import { setAppearance } from './page.ts';

/** Shows a row with a name for each photo of a report, as the user can choose. */
export const showPhotosAsRows = (page: Page) => setAppearance(page, { photosAsRows: true });

/** Returns the fields with the names of a report's files. Photos in a group have none. */
export const nameFields = (page: Page): Locator =>
  page.getByRole('textbox', { name: /^Dateiname \d+$/ });

export async function namesOf(page: Page) {
  // The list may follow the address a moment later.
  await nameFields(page).first().waitFor();
  return await nameFields(page).evaluateAll((fields) =>
    fields.map((field) => (field as { value?: string }).value),
  );
}

export const photoGrid = (page: Page): Locator =>
  page.getByRole('listbox', { name: 'Fotos nach Position im Bericht' });

/** Returns the bytes that are sent for a file, which is found by its name in the list. */
export async function sentFile(desk: DeskWindow, fileName: string): Promise<Buffer> {
  const { page } = desk;
  await page.getByRole('button', { name: `Ansehen: ${fileName}` }).click();
  // If the window cannot show the file, a second such button stands in place of the picture.
  const copy = page.getByRole('dialog').getByRole('button', { name: 'Kopie speichern' }).first();
  const { path } = await desk.saved(() => copy.click());
  const bytes = readFileSync(path);
  await page.getByRole('dialog').getByRole('button', { name: 'Schliessen', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  return bytes;
}

export const pixelsOf = (bytes: Buffer) => decode(bytes, { maxMemoryUsageInMB: 1024 });

/**
 * Returns whether a pixel is near a colour. The position is given in shares of width and height.
 */
export function isNear(
  bytes: Buffer,
  [x, y]: readonly [number, number],
  colour: readonly number[],
): boolean {
  const { width, height, data } = pixelsOf(bytes);
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
  return colour.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) < 40);
}

/** Returns whether the picture shows the letters of the plate. */
export function holdsSecret(bytes: Buffer): boolean {
  const { data } = pixelsOf(bytes);
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (red > 190 && green < 130 && blue > 190) return true;
  }
  return false;
}

/** Opens the editor for the photo at a position. Points are shares of its width and height. */
export async function openMarks(
  page: Page,
  place: number,
  photo: { width: number; height: number },
) {
  await photoGrid(page).getByRole('option').nth(place).click();
  await page.keyboard.press('m');
  const editor = page.getByRole('dialog', { name: /^Foto markieren/ });
  await expect(editor.locator('[data-ready=true]')).toBeVisible();
  const box = await editor.locator('.board').boundingBox();
  if (!box) throw new Error('nothing to draw on');
  const scale = Math.min((box.width - 32) / photo.width, (box.height - 32) / photo.height);
  const at = ([x, y]: readonly [number, number]) =>
    [
      box.x + box.width / 2 + (x - 0.5) * photo.width * scale,
      box.y + box.height / 2 + (y - 0.5) * photo.height * scale,
    ] as const;
  /** Presses the mouse button at the first point and moves to the second. */
  const begin = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at(to), { steps: 4 });
  };
  const draw = async (from: readonly [number, number], to: readonly [number, number]) => {
    await begin(from, to);
    await page.mouse.up();
  };
  /** Does the same without any mouse move in between. */
  const jump = async (from: readonly [number, number], to: readonly [number, number]) => {
    const surface = editor.locator('.board .konvajs-content');
    for (const [type, place] of [['pointerdown', from] as const, ['pointerup', to] as const]) {
      const [clientX, clientY] = at(place);
      await surface.dispatchEvent(type, { clientX, clientY, button: 0, pointerId: 1 });
    }
  };
  return { editor, begin, draw, jump };
}
