import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { root, temporaryFolder } from '../support/processes.ts';
import { median, printFigure, quantile } from './figures.ts';
import {
  benchFrames,
  buildWindow,
  chromiumOptions,
  privateMegabytes,
  timesOfSearch,
  view,
} from './in-chromium.ts';

/** What the window is measured against (docs/benchmarks.md), in a real Chromium without a head. */
const cases = 20_000;
const entries = 1000;
const browsed = 60;
const starts = 7;
/** Chromium caches what it compiled of a page that stays, from its second visit on. */
const visits = 2;
const visitMs = 3000;
const words = ['zürich', 'skoda', 'muller', 'favre', 'bern', 'garage', 'ZH 1', 'genève', 'berdor'];

/**
 * Milliseconds from the start of the navigation until an element that meets the condition was
 * painted: the end of the frame after the change of the page that brought it.
 */
async function timeTo(page: Page, address: string, condition: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' });
  const at = await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      if (!(${condition})) return;
      changes.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    const changes = new MutationObserver(look);
    changes.observe(document, { childList: true, subtree: true });
    look();
  })`);
  return z.number().parse(at);
}

/** A page of one line, from a separate server. */
async function startTrivial(): Promise<{ url: string; close(): void }> {
  const html = '<!doctype html><title>trivial</title><p id="here">Here</p>';
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast restates what listening on a port gives (node:net, "server.address()").
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const listUsable = `document.querySelector('[role=listbox] [role=option] .truncate') ||
  /SF-2026-/.test(document.querySelector('[role=listbox]')?.textContent ?? '')`;

/**
 * Both in turns, each in a new page, after visits as the user makes them; the medians.
 * @param stored what the browser stores between two starts, for the figure's name
 */
async function benchStart(
  context: BrowserContext,
  stored: string,
  desk: string,
  trivial: string,
): Promise<void> {
  const times = { desk: [] as number[], trivial: [] as number[] };
  // A token serves once; every later start has what it was exchanged for.
  const first = await context.newPage();
  await first.goto(desk);
  await first.getByRole('navigation').first().waitFor();
  // It stores it as it is left, and stays, so that the session does.
  const session = z
    .string()
    .parse(
      await first.evaluate(
        "(dispatchEvent(new Event('pagehide')), sessionStorage.getItem('desk-session'))",
      ),
    );
  const home = new URL('/', first.url()).href;
  await context.addInitScript(`sessionStorage.setItem('desk-session', '${session}')`);
  for (let visit = 0; visit < visits; visit += 1) {
    const page = await context.newPage();
    await timeTo(page, `${home}#/cases`, listUsable);
    await page.waitForTimeout(visitMs);
    await page.close();
  }
  for (let run = 0; run < starts; run += 1) {
    for (const [kind, address, condition] of [
      ['trivial', trivial, "document.getElementById('here')"],
      ['desk', `${home}#/cases`, listUsable],
    ] as const) {
      const page = await context.newPage();
      times[kind].push(await timeTo(page, address, condition));
      await page.close();
    }
  }
  await context.close();
  const [own, bare] = [median(times.desk), median(times.trivial)];
  printFigure({
    what: `start to a list of ${cases} cases that can be used, ${stored} (trivial page: ${Math.round(bare)} ms)`,
    figure: own / bare,
    unit: "times the trivial page's load",
    limit: 6,
  });
}

/** What the first page loads of scripts, compressed as gzip would send them. */
async function benchScripts(page: Page): Promise<void> {
  const loaded = z
    .array(z.string())
    .parse(
      await page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
      ),
    );
  const bytes = loaded.reduce((sum, url) => {
    const file = join(root, 'dist/renderer', new URL(url).pathname);
    return sum + gzipSync(readFileSync(file)).length;
  }, 0);
  printFigure({
    what: `scripts of the first load, compressed (${loaded.length} files)`,
    figure: bytes / 1024,
    unit: 'KB',
    limit: 400,
  });
}

/** From the arrow key to the case on the screen, one after the other through the list. */
async function benchOpening(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search cases' }).focus();
  // From the search into the list, as the user moves.
  await page.keyboard.press('ArrowDown');
  await page.waitForTimeout(500);
  await page.evaluate(`(() => {
    window.awaitCase = () => void (window.caseAfter = new Promise((resolve) => {
      const pane = document.querySelector('section.pane');
      const key = () => pane.querySelector('.case header .tabular')?.textContent ?? '';
      const before = key();
      let at = 0;
      addEventListener('keydown', (event) => { at = event.timeStamp; }, { capture: true, once: true });
      const seen = new MutationObserver(() => {
        const now = key();
        if (at === 0 || now === '' || now === before || !pane.querySelector('.case dl')) return;
        seen.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - at)));
      });
      seen.observe(pane, { childList: true, subtree: true, characterData: true });
      setTimeout(() => { seen.disconnect(); resolve(null); }, 5000);
    }));
  })()`);
  const found: number[] = [];
  for (let opened = 0; opened < browsed; opened += 1) {
    await page.evaluate('window.awaitCase()');
    await page.keyboard.press('ArrowDown');
    const took = await page.evaluate('window.caseAfter');
    if (took === null) throw new Error('the arrow key opened no case');
    found.push(z.number().parse(took));
  }
  printFigure({
    what: `opening a case, p95 of ${found.length}`,
    figure: quantile(found, 0.95),
    unit: 'ms',
    limit: 100,
  });
}

const pagesSeen = 8;

/** From the click in the navigation to a page with its rows on the screen. */
async function benchPages(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // By the thread's own clock, which stands still while another program has the processor.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workedMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
  };
  for (const [name, title, row] of [
    ['Today', 'Today', '.day-case'],
    ['the outbox', 'Outbox', '.act'],
    ['a batch', 'Batch', '.files [role=listitem]'],
  ] as const) {
    const found: number[] = [];
    const work: number[] = [];
    let nodes = 0;
    for (let turn = 0; turn < pagesSeen; turn += 1) {
      await page.goto(new URL('/#/settings', page.url()).href);
      await page.waitForTimeout(400);
      await page.evaluate(`(() => {
        let at = 0;
        addEventListener('click', (event) => { at = event.timeStamp; }, { capture: true, once: true });
        window.rowsAfter = new Promise((resolve) => {
          const look = () => {
            if (at === 0 || !document.querySelector('main ${row}')) return;
            seen.disconnect();
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - at)));
          };
          const seen = new MutationObserver(look);
          seen.observe(document.body, { childList: true, subtree: true });
          setTimeout(() => { seen.disconnect(); resolve(null); }, 5000);
        });
      })()`);
      const before = await workedMs();
      await page.getByRole('navigation').first().getByRole('link', { name: title }).click();
      const took = await page.evaluate('window.rowsAfter');
      work.push((await workedMs()) - before);
      if (took === null) throw new Error(`${name} showed no row for 5 s`);
      found.push(z.number().parse(took));
      await page.waitForTimeout(400);
      nodes = z.number().parse(await page.evaluate("document.querySelectorAll('*').length"));
    }
    printFigure({
      what: `click to ${name} with its rows, p95 of ${found.length} (${nodes} nodes)`,
      figure: quantile(found, 0.95),
      unit: 'ms',
      limit: 100,
    });
    printFigure({
      what: `work of the page for ${name}, median of ${work.length}`,
      figure: median(work),
      unit: 'ms of processor',
      limit: 100,
    });
  }
}

buildWindow();
const folder = temporaryFolder();
const child = fork(join(import.meta.dirname, 'desk-with-cases.ts'), [
  folder.path,
  String(cases),
  String(entries),
]);
const ended = once(child, 'exit');
const trivial = await startTrivial();
const browser = await chromium.launch(chromiumOptions);
try {
  const messages: unknown[] = await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('the desk ended before it was ready');
    }),
  ]);
  const url = z.string().parse(messages[0]);
  const another = async () => {
    const answered = once(child, 'message');
    child.send('invite');
    return z.string().parse((await answered)[0]);
  };
  await benchStart(await browser.newContext(view), 'in a private window', url, trivial.url);
  const profile = join(folder.path, 'profile');
  const stored = await chromium.launchPersistentContext(profile, { ...chromiumOptions, ...view });
  await benchStart(stored, 'in a profile on the disk', await another(), trivial.url);
  const context = await browser.newContext(view);
  const page = await context.newPage();
  await page.goto(await another());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await benchScripts(page);
  await page.goto(new URL('/#/cases', url).href);
  await page.getByRole('option').first().waitFor();
  await page.waitForTimeout(1500);
  const found = await timesOfSearch(page, words);
  printFigure({
    what: `key to painted result of a search, p95 of ${found.length} keys`,
    figure: quantile(found, 0.95),
    unit: 'ms',
    limit: 100,
  });
  await benchOpening(page);
  printFigure({
    what: `private memory of the page's process after ${browsed} cases`,
    figure: await privateMegabytes(browser, page),
    unit: 'MB',
    limit: 250,
  });
  await benchFrames(page, 'the list', page.getByRole('listbox').first());
  await benchPages(page);
} finally {
  await browser.close();
  trivial.close();
  if (child.connected) child.disconnect();
  await ended;
  folder.remove();
}
