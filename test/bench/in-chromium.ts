import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { z } from 'zod';
import { chromiumAt } from '../support/chromium.ts';

/** The whole browser, as a person has it, without a head. */
export const chromiumOptions = chromiumAt('/usr/bin/chromium');

/** The questions asked of the page are text to evaluate, which its own policy would refuse. */
export const view = { viewport: { width: 1440, height: 900 }, bypassCSP: true };

/** Lengths of the frames while the wheel turns over a place, ms. */
export async function scroll(page: Page, box: { x: number; y: number }): Promise<number[]> {
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
  return z.array(z.number()).parse(await page.evaluate('(window.on_ = false, window.frames_)'));
}

/** What only the page's process holds after a collection, MB (Linux: private memory). */
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
