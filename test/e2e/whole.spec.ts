import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import type { RunningService } from '../support/processes.ts';
import { smokeOrLong } from '../support/long.ts';
import { makeJpeg } from '../support/sample-files.ts';
import { deskFolder, type DeskWindow, test } from './desk-window.ts';
import {
  addressOf,
  inspectPage,
  openInWork,
  outOfSight,
  cutOff,
  overflowsSideways,
  watchForErrors,
} from './page.ts';
import { ofWindow } from './specs.ts';

/** The whole desk runs in English with a service that stops: keys only, two windows, no network. */

const folder = deskFolder();
let service: RunningService;
let desk: DeskWindow;
let page: Page;
let errors: () => string[];

test.beforeAll(async ({ openDesk }) => {
  service = await folder.start('--demo', '40', '--limits', 'x1000');
  desk = await folder.open(openDesk, { lang: 'en', service });
  ({ page, errors } = desk);
});
test.afterEach(() => {
  expect(errors()).toEqual([]);
});
const address = (path: string) => addressOf(page, path);
/** The id of the opened case, which has typed text and documents that are not downloaded. */
let shownCase = '';
const pages = [
  'today',
  'cases',
  'queue',
  'batch',
  'insights',
  'settings/connection',
  'settings/backup',
];

test('nothing from outside and nothing inline runs: the content security policy applies', async () => {
  const tried = await page.evaluate(`(async () => {
    window.refused = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      window.refused.push(event.effectiveDirective),
    );
    window.ran = false;
    const add = (name, set) => {
      const element = document.createElement(name);
      set(element);
      document.head.append(element);
      return element;
    };
    add('script', (one) => (one.textContent = 'window.ran = true'));
    // A string that is to become a script's address or markup is refused before it is looked at.
    const attempt = (act) => { try { act(); return 'done'; } catch { return 'refused'; } };
    const foreign = attempt(() =>
      add('script', (one) => (one.src = 'https://outside.example/a.js')));
    const markup = attempt(() =>
      document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.ran = true">'));
    add('style', (one) => (one.textContent = 'body { outline: 9px solid red }'));
    add('link', (one) => ((one.rel = 'stylesheet'), (one.href = 'https://outside.example/a.css')));
    add('img', (one) => {
      one.setAttribute('onerror', 'window.ran = true');
      one.src = 'https://outside.example/a.png';
    });
    add('iframe', (one) => (one.src = 'https://outside.example/'));
    const asked = await fetch('https://outside.example/').then(() => 'answered', () => 'refused');
    // In a separate task: what the debugger evaluates is exempt from the rule.
    let evaluated = 'refused';
    await new Promise((resolve) => setTimeout(() => {
      try { evaluated = String(new Function('return 1')()); } catch { /* as it should be */ }
      resolve();
    }));
    return { evaluated, asked, foreign, markup };
  })()`);
  expect(tried).toEqual({
    evaluated: 'refused',
    asked: 'refused',
    foreign: 'refused',
    markup: 'refused',
  });
  await expect
    .poll(async () => await page.evaluate('[...new Set(window.refused)]'))
    .toEqual(
      expect.arrayContaining([
        'connect-src',
        'frame-src',
        'img-src',
        'require-trusted-types-for',
        'script-src',
        'script-src-attr',
        'script-src-elem',
        'style-src-elem',
      ]),
    );
  // Each of these attempts is refused by now, so none can have an effect any more.
  expect(await page.evaluate('window.ran')).toBe(false);
  expect(await page.evaluate('getComputedStyle(document.body).outlineWidth')).not.toBe('9px');
  // The browser writes each refusal to the console. Here they are expected.
  await page.reload();
  errors = watchForErrors(page);
});

test('a link with a colour that has a meaning shows that colour', ofWindow, async () => {
  await expect(page.getByRole('contentinfo')).toBeVisible();
  const colours = await page.evaluate(`['a', 'span'].map((name) => {
    const element = document.createElement(name);
    if (name === 'a') element.href = '#/queue';
    element.className = 'text-error';
    document.querySelector('footer').append(element);
    const { color } = getComputedStyle(element);
    element.remove();
    return color;
  })`);
  const [link, text] = z.tuple([z.string(), z.string()]).parse(colours);
  expect(link).toBe(text);
});

test('from the list to a queued report by keyboard alone', async () => {
  await page.goto(address('cases?status=InProgress'));
  const list = page.getByRole('listbox', { name: 'Case list' });
  await expect(list.getByRole('option').first()).toContainText('In progress');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('SF-');
  const palette = page.getByRole('dialog', { name: 'Commands and cases' });
  await expect(palette.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search cases' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  const reach = async (name: string | RegExp) => {
    const target = page.getByRole('button', { name });
    await expect(target).toBeVisible();
    for (let presses = 0; presses < 80; presses += 1) {
      if (
        await target.evaluate((element: { matches(selector: string): boolean }) =>
          element.matches(':focus'),
        )
      )
        return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(name)}`);
  };
  await page.keyboard.press('Enter');
  await reach('New report');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Compile report' })).toBeVisible();
  // The browser needs a moment before it passes file choosers to Playwright instead of showing
  // them.
  const choosing = page.waitForEvent('filechooser');
  await reach('Choose files');
  await page.keyboard.press('Enter');
  await (
    await choosing
  ).setFiles([
    { name: 'one.jpg', mimeType: 'image/jpeg', buffer: makeJpeg() },
    { name: 'two.jpg', mimeType: 'image/jpeg', buffer: makeJpeg() },
  ]);
  await expect(page.getByRole('textbox', { name: 'File name 2' })).toHaveValue('two.jpg');
  await reach('More about “two.jpg”');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Move up', { exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'File name 1' })).toHaveValue('two.jpg');
  await reach('Submit report');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Outbox' })).toBeVisible();
  await page
    .getByRole('article')
    .getByText(/^Delivered/)
    .first()
    .waitFor();
});

test('a proof of delivery is copied and saved, and all of them as a table', async () => {
  await page.getByRole('button', { name: 'Show steps' }).first().click();
  await page.getByRole('button', { name: 'Proof of delivery: two.jpg' }).click();
  const proof = page.getByRole('group', { name: 'Proof of delivery' }).first();
  await expect(proof.getByText('SHA-256')).toBeVisible();
  await proof.getByRole('button', { name: 'Copy' }).click();
  await expect(proof.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await desk.clipboard();
  expect(copied).toMatch(/^Proof of delivery: .*, two\.jpg\n/);
  const hash = /^SHA-256: ([0-9a-f]{64})$/m.exec(copied)?.[1] ?? 'no hash';
  const save = proof.getByRole('button', { name: 'Save' });
  const text = await desk.saved(() => save.click());
  expect(text.name).toMatch(/^Proof of delivery .* two\.jpg\.txt$/);
  expect(readFileSync(text.path, 'utf8')).toBe(`${copied}\n`);
  const saveAll = page.getByRole('button', { name: 'Save proofs' });
  const all = await desk.saved(() => saveAll.click());
  expect(all.name).toBe('Proofs of delivery.csv');
  const lines = readFileSync(all.path, 'utf8').trimEnd().split('\r\n');
  // The lines are the head, the draft, its two files and the submission.
  expect(lines).toHaveLength(5);
  expect(lines.filter((line) => line.includes(hash))).toEqual([expect.stringContaining('two.jpg')]);
  expect(await inspectPage(page, 'queue-proof')).toEqual([]);
});

test('with the service stopped every page works, and none waits for the network', async () => {
  expect(await service.stop()).toBe(0);
  await page.getByRole('button', { name: 'Sync now' }).click();
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  // This server accepts every request and never answers, so a page that waits for it never
  // finishes.
  const silent = createServer(() => undefined).listen(service.port, '127.0.0.1');
  await once(silent, 'listening');
  const main = page.getByRole('main');
  const turning = page.locator('main .v-progress-circular, main [aria-busy=true]');
  for (const path of pages) {
    await page.goto(address(path));
    await expect(main.getByRole('heading').first()).toBeVisible();
    await expect(turning, path).toHaveCount(0);
  }
  await page.goto(address('cases?status=Accepted'));
  const row = page.getByRole('listbox', { name: 'Case list' }).getByRole('option').first();
  await expect(row).toContainText('Accepted');
  const asked = once(silent, 'request');
  await row.click();
  await expect(page.getByRole('region', { name: /^Documents/ })).toBeVisible();
  await asked;
  shownCase = page.url();
  await expect(turning).toHaveCount(0);
  silent.closeAllConnections();
  silent.close();
  await once(silent, 'close');
  const long =
    'The workshop was asked for a second estimate, without the parts that were not damaged.';
  await page.getByRole('textbox', { name: 'Comment' }).fill(long);
  await page.getByRole('button', { name: 'Save comment' }).click();
  await page.getByLabel('Assessed amount').fill('100');
  await page.getByRole('button', { name: 'Save amounts' }).click();
  await expect(page.getByText('Waiting for a connection').first()).toBeVisible();
});

/**
 * The width 1024 is tested in each language with one further width. The long form tests all widths.
 */
const widthsOf = (index: number) => {
  const [least, small, ...large] = [
    [900, 700],
    [1024, 700],
    [1366, 768],
    [1440, 900],
  ] as const;
  const further = [least, ...large];
  return smokeOrLong([small, further[index % further.length] ?? least], [small, ...further]);
};

test(
  'with work waiting, nothing is out of sight, cut off or broken in any language and width',
  ofWindow,
  async () => {
    for (const [index, [language, lang]] of (
      [
        ['Deutsch', 'de'],
        ['Français', 'fr'],
        ['Italiano', 'it'],
        ['English', 'en'],
      ] as const
    ).entries()) {
      await page.goto(address('settings/appearance'));
      await page.getByRole('radio', { name: language, exact: true }).check();
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${lang}`));
      const ofCase = new URL(shownCase).hash.slice('#/'.length);
      for (const path of [...pages, ofCase]) {
        await page.goto(address(path));
        const [section = ''] = path.split(/[/?]/);
        const link = page.locator(`nav a.on[href^="#/${section}"]`).first();
        await expect(link).toBeVisible();
        const act = page.getByRole('article').first();
        if (path === 'queue') await expect(act).toBeVisible();
        await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
        for (const [width, height] of widthsOf(index)) {
          await page.setViewportSize({ width, height });
          const where = `${path} in ${language} at ${width}`;
          expect(await outOfSight(page), where).toEqual([]);
          expect(await overflowsSideways(page), where).toBe(false);
          expect(await cutOff(page), where).toEqual([]);
        }
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  },
);

test('what waits is paused, changed in its place, and taken back', ofWindow, async () => {
  await page.goto(address('queue'));
  await page.getByRole('button', { name: 'Pause delivery' }).click();
  await expect(page.getByText(/^Delivery is paused\./)).toBeVisible();
  await page.getByRole('article').getByRole('button', { name: /^More/ }).first().click();
  await page.getByRole('listitem').filter({ hasText: 'Edit' }).click();
  await page.getByLabel('Assessed amount').fill('250.50');
  expect(await inspectPage(page, 'queue-edit')).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/; assessed: CHF.250\.50/)).toBeVisible();

  await page.goto(address('cases?status=Accepted'));
  const accepted = page.getByRole('listbox', { name: 'Case list' }).getByRole('option').last();
  await expect(accepted).toContainText('Accepted');
  await accepted.click();
  await page.getByRole('button', { name: 'New report' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (
    await choosing
  ).setFiles([{ name: 'back.jpg', mimeType: 'image/jpeg', buffer: makeJpeg() }]);
  await expect(page.getByRole('textbox', { name: 'File name 1' })).toHaveValue('back.jpg');
  const draft = page.url();
  await page.getByRole('button', { name: 'Submit report' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Outbox' })).toBeVisible();
  const waiting = page
    .getByRole('article')
    .filter({ hasText: 'Delivery is paused' })
    .filter({ hasText: 'Files delivered: 0 of 1' });
  await waiting.getByRole('button', { name: /^More/ }).click();
  await page.getByText('Move back to drafts').click();
  await expect(page).toHaveURL(draft);
  await expect(page.getByRole('textbox', { name: 'File name 1' })).toHaveValue('back.jpg');
  await expect(page.getByRole('button', { name: 'Submit report' })).toBeEnabled();

  await page.goto(address('queue'));
  await expect(waiting).toBeHidden();
  await page.getByRole('button', { name: 'Resume delivery' }).click();
  await expect(page.getByText(/^Delivery is paused\./)).toBeHidden();
});

test('two windows on one case stay in step', async () => {
  await openInWork(page);
  const second = await desk.openAnother();
  await second.getByLabel('Assessed amount').fill('777');
  await second.getByRole('button', { name: 'Save amounts' }).click();
  await expect(page.getByLabel('Assessed amount')).toHaveValue('777.00');
  await page.getByRole('textbox', { name: 'Comment' }).fill('Seen in both');
  await page.getByRole('button', { name: 'Save comment' }).click();
  await expect(second.getByRole('textbox', { name: 'Comment' })).toHaveValue('Seen in both');
  await second.close();
});
