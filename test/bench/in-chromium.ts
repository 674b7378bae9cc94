import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from '@playwright/test';
import { z } from 'zod';
import { chromiumAt, root } from '../support/processes.ts';
import { printFigure } from './figures.ts';

/** Builds the window if it is older than its sources; what the build prints is no figure. */
export function buildWindow(): void {
  const args = [join(root, 'scripts/build.mjs'), '--if-stale', 'renderer'];
  spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] });
}

/** The whole browser, as the user has it, without a head. */
export const chromiumOptions = chromiumAt('/usr/bin/chromium');

/** The questions asked of the page are text to evaluate, which its own policy would refuse. */
export const view = { viewport: { width: 1440, height: 900 }, bypassCSP: true };

/** The wheel turned over a list for some seconds: its long frames. */
export async function benchFrames(page: Page, what: string, list: Locator): Promise<void> {
  const box = await list.boundingBox();
  if (!box) throw new Error('the list is not shown');
  await page.mouse.move(box.x + 50, box.y + 200);
  await page.evaluate(`(() => {
    window.frames_ = [];
    let last = performance.now();
    const look = (now) => { window.frames_.push(now - last); last = now; window.on_ && requestAnimationFrame(look); };
    window.on_ = true;
    requestAnimationFrame((now) => { last = now; requestAnimationFrame(look); });
  })()`);
  for (let turn = 0; turn < 150; turn += 1) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(16);
  }
  const frames = z
    .array(z.number())
    .parse(await page.evaluate('(window.on_ = false, window.frames_)'));
  printFigure({
    what: `scrolling ${what}, frames over 50 ms (of ${frames.length}; longest ${Math.round(Math.max(...frames))} ms)`,
    figure: frames.filter((ms) => ms > 50).length,
    unit: 'frames',
    limit: 0,
  });
}

/** Memory of the page's process alone after a collection, MB (Linux: private memory). */
export async function privateMegabytes(browser: Browser, page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const whole = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo');
  const renderers = whole.processInfo.filter(({ type }) => type === 'renderer');
  return Math.max(...renderers.map(({ id }) => privateMegabytesOf(id)));
}

function privateMegabytesOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].map(([, kb]) => Number(kb));
  return kilobytes.reduce((sum, kb) => sum + kb, 0) / 1024;
}

/**
 * Greatest memory of the page's process during an act, MB (Linux: private memory).
 * @param everyMs how often it is looked at, which takes some milliseconds each time
 */
export async function peakMegabytes(
  browser: Browser,
  act: () => Promise<void>,
  everyMs = 25,
): Promise<number> {
  const whole = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo');
  const renderers = whole.processInfo.filter(({ type }) => type === 'renderer');
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, ...renderers.map(({ id }) => privateMegabytesOf(id)));
  };
  const timer = setInterval(look, everyMs);
  try {
    await act();
  } finally {
    clearInterval(timer);
  }
  look();
  return peak;
}

/** Opens a new report for the first case in progress of a desk in English. */
export async function openReport(page: Page): Promise<void> {
  await page.getByText('cases on this device').waitFor({ timeout: 60_000 });
  await page.goto(new URL('#/cases?status=InProgress', page.url()).href);
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByRole('button', { name: 'New report' }).click();
  await page
    .getByRole('textbox', { name: /comment/i })
    .first()
    .waitFor();
}

/** Types into a field until something is done, and prints which letters were painted late. */
export async function benchKeys(
  page: Page,
  field: Locator,
  isDone: () => Promise<boolean>,
): Promise<void> {
  await page.evaluate(`(() => {
    window.keys_ = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) name === 'keydown' && keys_.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  })()`);
  await field.click();
  let typed = 0;
  while (!(await isDone()))
    for (const letter of 'abcde') {
      await page.keyboard.press(letter);
      typed += 1;
      await page.waitForTimeout(200);
    }
  const keys = z.array(z.number()).parse(await page.evaluate('window.keys_'));
  printFigure({
    what: `keys painted later than 100 ms meanwhile (of ${typed}; longest ${Math.max(...keys)} ms)`,
    figure: keys.filter((ms) => ms > 100).length,
    unit: 'keys',
    limit: 0,
  });
}

/**
 * From each key of the words to the rows of its answer on the screen, in ms.
 * @param beforeEach is called before each word
 */
export async function timesOfSearch(
  page: Page,
  words: readonly string[],
  beforeEach?: () => Promise<void>,
): Promise<number[]> {
  const field = page.getByRole('searchbox', { name: 'Search cases' });
  const found: number[] = [];
  await page.evaluate(`(() => {
    window.awaitRows = () => void (window.rowsAfter = new Promise((resolve) => {
      const list = document.querySelector('[role=listbox]').closest('[aria-busy]');
      let at = 0;
      addEventListener('input', (event) => { at = event.timeStamp; }, { capture: true, once: true });
      // Busy from the key until the answer's rows are there, of which some may stay as they were.
      const seen = new MutationObserver(() => {
        if (at === 0 || list.ariaBusy !== 'false') return;
        seen.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - at)));
      });
      seen.observe(list, { attributeFilter: ['aria-busy'] });
      setTimeout(() => { seen.disconnect(); resolve(null); }, 3000);
    }));
  })()`);
  for (const word of words) {
    await beforeEach?.();
    await field.focus();
    for (const letter of word) {
      // A blank at the end asks for nothing new.
      if (letter === ' ') {
        await page.keyboard.type(letter);
        continue;
      }
      // Listening before the key: keys and scripts go to the page by different ways.
      await page.evaluate('window.awaitRows()');
      await page.keyboard.type(letter);
      const took = await page.evaluate('window.rowsAfter');
      if (took === null) throw new Error('a letter had no answer for 3 s');
      found.push(z.number().parse(took));
    }
    await field.fill('');
    await page.waitForTimeout(300);
  }
  return found;
}
