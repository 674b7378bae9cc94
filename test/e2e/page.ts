import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { z } from 'zod';
import type { Appearance } from '#shared/desk/setup/appearance.ts';
import { isLong, smokeOrLong } from '../support/long.ts';
import { root } from '../support/processes.ts';

/**
 * Takes a picture if DESK_PICTURES names a folder. `help-pictures.spec.ts` takes those of the help.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['DESK_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(join(root, folder), { recursive: true });
  await page.screenshot({ path: join(root, folder, `${name}.png`), animations: 'disabled' });
}

/**
 * Allows Playwright's own scripts, which are text, despite the page's trusted types. The rest of
 * the policy applies unchanged.
 */
export const letQuestionsThrough = `if (window.trustedTypes) {
  const create = trustedTypes.createPolicy.bind(trustedTypes);
  trustedTypes.createPolicy = (name, rules) =>
    create(name, name === 'default' ? { ...rules, createScript: (text) => text } : rules);
}`;

/**
 * Opens the window and waits for its first page. Until then the window follows no other address.
 */
export async function openWindow(page: Page, url: string): Promise<void> {
  await page.context().addInitScript({ content: letQuestionsThrough });
  await page.goto(url);
  // The page sets its own address when it is ready. The router's `#/` comes before that.
  await page.waitForURL(/#\/\w/);
}

/**
 * Keeps the offer to take an act back, which the window otherwise shows for 10 s (undo-store.ts). A
 * busy machine may click later.
 */
export async function keepUndo(page: Page): Promise<void> {
  const content = `{
    const later = setTimeout;
    window.setTimeout = (run, ms, ...args) => later(run, ms === 10_000 ? 3_600_000 : ms, ...args);
  }`;
  await page.addInitScript({ content });
  await page.evaluate(content);
}

/** Expects the thumbnail of a file, which is drawn once it comes into view. */
export async function expectPicture(file: Locator): Promise<void> {
  await file.scrollIntoViewIfNeeded();
  await expect(file.locator('img')).toBeVisible();
}

/** Returns the address of a page of the window, such as `cases?status=InProgress`. */
export function addressOf(page: Page, path: string): string {
  return new URL(`#/${path}`, page.url()).href;
}

/** Searches the list for a case, in German or English, and opens it. */
export async function openCase(page: Page, externalKey: string): Promise<void> {
  await page.getByRole('link', { name: /^(Fälle|Cases)$/ }).click();
  const search = page.getByRole('searchbox', { name: /^(Fälle durchsuchen|Search cases)$/ });
  await search.fill(externalKey);
  // A click may miss a row that moves when the result arrives, so the test waits for the result.
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByRole('option').filter({ hasText: externalKey }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Opens the case at a position among those in progress, once the list shows no others. */
export async function openInWork(page: Page, place = 0): Promise<void> {
  await page.goto(addressOf(page, 'cases?status=InProgress'));
  const list = page.getByRole('listbox', { name: /^(Fallliste|Case list)$/ });
  const row = list.getByRole('option').nth(place);
  await expect(row).toContainText(/In Arbeit|In progress/);
  await row.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Documents that arrive move everything below them, even during a click.
  const documents = page.getByRole('region', { name: /^(Dokumente|Documents)/ });
  await expect(documents.locator('li, p').first()).toBeVisible();
}

/** Starts a report for the case at a position among those in progress. */
export async function newReport(page: Page, place: number): Promise<void> {
  await openInWork(page, place);
  await page.getByRole('button', { name: 'Neuer Bericht' }).click();
  await expect(page.getByRole('heading', { name: 'Bericht zusammenstellen' })).toBeVisible();
}

/** Submits a report and waits for the outbox, which the window then opens by itself. */
export async function submitReport(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Bericht einreichen|Submit report)$/ }).click();
  const title = page.getByRole('heading', { level: 1, name: /^(Postausgang|Outbox)$/ });
  await expect(title).toBeVisible();
}

/** Chooses an act from the menu behind a button. */
export async function chooseFromMenu(menu: Locator, act: string): Promise<void> {
  await menu.click();
  const acts = menu.page().locator('.v-overlay--active .v-list-item-title');
  await acts.getByText(act, { exact: true }).click();
}

/** Collects the errors that the page logs. Every test expects an empty console. */
export function watchForErrors(page: Page): () => string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return () => errors;
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Returns the rules of WCAG 2.2 A and AA that axe finds broken, with the elements that break them.
 */
export function accessibilityFaults(page: Page): Promise<string[]> {
  return faultsOf(page, wcag);
}

/**
 * Goes back from within the page. Playwright asks the browser, which may not know yet the address
 * that the page has just opened.
 */
export async function goBack(page: Page): Promise<void> {
  await page.evaluate('history.back()');
}

/** Resolves once no animation runs, except endless ones. */
const whenStill = (page: Page) =>
  page.evaluate(`Promise.all(
    document.getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
      .map(({ finished }) => finished.catch(() => undefined)),
  ).then(() => undefined)`);

/**
 * Runs an act without animations. An element may come under the pointer later and change its
 * colour, and axe must not meet a colour in transition.
 */
async function withoutMotion<T>(page: Page, act: () => Promise<T>): Promise<T> {
  const isReduced = await page.evaluate(`matchMedia('(prefers-reduced-motion: reduce)').matches`);
  if (isReduced === true) return await act();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  try {
    return await act();
  } finally {
    await page.emulateMedia({ reducedMotion: null });
  }
}

/**
 * Returns what axe finds broken of these rules, or of the rules with these tags. Each load of a page
 * gets axe once, because it is half a megabyte of script. A page is the same in both shells, so
 * Electron leaves what axe finds to the browser.
 */
async function faultsOf(page: Page, rules: readonly string[]): Promise<string[]> {
  if (test.info().project.name === 'electron' && !isLong) return [];
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(`${axe.source};undefined`);
  // A report of the passed rules would take a quarter of the time.
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] });
  const found = await withoutMotion(page, async () => {
    await whenStill(page);
    return await page.evaluate(`axe.run(${options}).then(({ violations }) => violations
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
  });
  return z.array(z.string()).parse(found);
}

/**
 * Takes pictures of a finished page in light and dark, and returns what axe finds in light. The
 * long form also checks the colours of dark and high contrast, which differ only in colour.
 */
export async function inspectPage(page: Page, name: string): Promise<string[]> {
  await setTheme(page, 'light');
  await takePicture(page, name);
  if (process.env['DESK_PICTURES'] !== undefined) {
    await setTheme(page, 'dark');
    await takePicture(page, `${name}-dark`);
  }
  // Axe scrolls to invisible elements, so it runs after the pictures.
  const faults: string[] = [];
  for (const theme of smokeOrLong<readonly ('dark' | 'contrast')[]>([], ['dark', 'contrast'])) {
    await setTheme(page, theme);
    const colours = await faultsOf(page, ['color-contrast', 'link-in-text-block']);
    faults.push(...colours.map((fault) => `${theme}: ${fault}`));
  }
  await setTheme(page, 'light');
  return [...(await accessibilityFaults(page)), ...faults];
}

/** Chooses the theme as another window of the desk would, by the stored setting of both. */
export async function setTheme(page: Page, theme: 'light' | 'dark' | 'contrast'): Promise<void> {
  await setAppearance(page, { theme });
  await themeShown(page, theme);
}

/** Sets a part of the appearance as another window of the desk would. */
export async function setAppearance(page: Page, part: Partial<Appearance>): Promise<void> {
  // The script is text, because tests are checked without the browser's types.
  await page.evaluate(`{
    const key = 'appearance';
    const chosen = ${JSON.stringify(part)};
    const newValue = JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), ...chosen });
    localStorage.setItem(key, newValue);
    window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
  }`);
}

/** Waits until the page shows a theme, regardless of how it was chosen. */
export async function themeShown(page: Page, theme: 'light' | 'dark' | 'contrast'): Promise<void> {
  await expect(page.locator(`.v-theme--${theme}`).first()).toBeAttached();
  // Colours in transition between two themes have no valid contrast.
  const steps = await page.evaluate(`(async () => {
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(changes.map((one) => one.finished));
    return matchMedia('(prefers-reduced-motion: reduce)').matches ? changes.length : 0;
  })()`);
  expect(steps, 'colours that change in steps, although motion is reduced').toBe(0);
}

/**
 * Returns the names of buttons, links and fields that exceed the window's right edge, or that of a
 * box.
 */
export async function outOfSight(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(
    await page.evaluate(`[...document.querySelectorAll('button, a[href], input, textarea')]
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        if (width <= 1 || !one.checkVisibility()) return false;
        let box = one.parentElement;
        while (box && getComputedStyle(box).overflowX === 'visible') box = box.parentElement;
        const edge = box ? box.getBoundingClientRect().right : innerWidth;
        return left < 0 || right > Math.min(edge, innerWidth) + 1;
      })
      .map((one) => one.ariaLabel || one.textContent.trim() || one.id)`),
  );
}

/**
 * Returns texts that are cut off without a sign, and words of headings, buttons and labels that are
 * broken in two.
 */
export async function cutOff(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(
    await page.evaluate(`(() => {
      const isUnseen = (one) => one !== null &&
        (getComputedStyle(one).clipPath !== 'none' || isUnseen(one.parentElement));
      const isCut = (one) => {
        const { overflowX, textOverflow } = getComputedStyle(one);
        return ['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis' &&
          one.scrollWidth > one.clientWidth + 1 && !isUnseen(one);
      };
      const range = document.createRange();
      const isBroken = (text, word) => {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      };
      const brokenOf = (text) => isUnseen(text.parentElement) ? [] :
        [...text.data.matchAll(/[\\p{L}\\d]{2,}/gu)].filter((word) => isBroken(text, word));
      const named = 'h1, h2, h3, button, .v-btn, label, thead th, legend, summary, nav a, kbd, .chip';
      return [...document.querySelectorAll(named)].filter((one) => one.checkVisibility())
        .flatMap((one) => {
          const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
          const broken = [];
          while (texts.nextNode()) broken.push(...brokenOf(texts.currentNode));
          const cut = [one, ...one.querySelectorAll('*')].some(isCut) ? [one.textContent.trim()] : [];
          return [...cut, ...broken.map(([word]) => word)];
        });
    })()`),
  );
}

/** Returns the widths of shown icons in px that are none of ours. The box of a choice is no icon. */
export async function oddIcons(page: Page): Promise<number[]> {
  return z.array(z.number()).parse(
    await page.evaluate(`[...document.querySelectorAll('svg')]
      .filter((one) => one.checkVisibility() && !one.closest('.v-selection-control'))
      .map((one) => Math.round(one.getBoundingClientRect().width * 10) / 10)
      .filter((width) => ![0, 14, 16, 20, 32].includes(width))`),
  );
}

/**
 * Returns whether the window or a part of it scrolls sideways. Only parts that are meant to scroll
 * and that the keyboard reaches may do so.
 */
export async function overflowsSideways(page: Page): Promise<boolean> {
  return z.boolean().parse(
    await page.evaluate(`(() => {
      const isWider = (one) => one.scrollWidth > one.clientWidth + 1;
      return isWider(document.documentElement) || [...document.querySelectorAll('main *')].some(
        (one) => !one.matches('[tabindex="0"], [tabindex="0"] *') && isWider(one) &&
          ['auto', 'scroll'].includes(getComputedStyle(one).overflowX),
      );
    })()`),
  );
}
