import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import {
  runDesk,
  type RunningDesk,
  type RunningService,
  startDesk,
  startService,
  temporaryFolder,
} from '../support/processes.ts';
import { makeJpeg } from '../support/sample-files.ts';
import { addressOf, inspectPage, openWindow, watchForErrors } from './page.ts';

/** The whole desk in English over a service that goes away: keys only, two windows, no network. */
test.describe.configure({ mode: 'serial' });

const folder = temporaryFolder();
let service: RunningService | undefined;
let desk: RunningDesk | undefined;
let page: Page;
let errors: () => string[];

test.beforeAll(async ({ browser }) => {
  const dataDir = join(folder.path, 'service');
  mkdirSync(dataDir);
  service = await startService({
    dataDir,
    args: ['--demo', '40', '--limits', 'x10', '--port', '0'],
  });
  const home = join(folder.path, 'home');
  const connected = await runDesk(
    home,
    'connect',
    '--credentials',
    service.credentialsPath,
    '--as',
    'expert',
  );
  expect(connected.code, connected.stderr).toBe(0);
  desk = await startDesk({ home, args: ['--lang', 'en'] });
  page = await (await browser.newContext({ acceptDownloads: true })).newPage();
  page.setDefaultTimeout(20_000);
  errors = watchForErrors(page);
  await openWindow(page, desk.url);
  await page.getByText(/^\d+ cases on this laptop$/).waitFor({ timeout: 60_000 });
});
test.afterEach(() => {
  expect(errors()).toEqual([]);
});
test.afterAll(async () => {
  await page.close();
  await desk?.stop();
  await service?.stop();
  folder.remove();
});

const address = (path: string) => addressOf(page, path);
const pages = ['today', 'cases', 'reports', 'queue', 'batch', 'insights', 'settings/connection'];

test('nothing from outside and nothing inline runs: the content security policy holds', async () => {
  const tried = await page.evaluate(`(async () => {
    const refused = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      refused.push(event.effectiveDirective),
    );
    window.ran = false;
    const add = (name, set) => {
      const element = document.createElement(name);
      set(element);
      document.head.append(element);
      return element;
    };
    add('script', (one) => (one.textContent = 'window.ran = true'));
    add('script', (one) => (one.src = 'https://outside.example/a.js'));
    add('style', (one) => (one.textContent = 'body { outline: 9px solid red }'));
    add('link', (one) => ((one.rel = 'stylesheet'), (one.href = 'https://outside.example/a.css')));
    document.body.insertAdjacentHTML('beforeend',
      '<img src="https://outside.example/a.png" onerror="window.ran = true">' +
      '<iframe src="https://outside.example/"></iframe>');
    const asked = await fetch('https://outside.example/').then(() => 'answered', () => 'refused');
    // In a task of its own: what the debugger evaluates is exempt from the rule.
    let evaluated = 'refused';
    await new Promise((resolve) => setTimeout(() => {
      try { evaluated = String(new Function('return 1')()); } catch { /* as it should be */ }
      setTimeout(resolve, 300);
    }));
    return {
      ran: window.ran, evaluated, asked,
      styled: getComputedStyle(document.body).outlineWidth === '9px',
      refused: [...new Set(refused)].sort(),
    };
  })()`);
  expect(tried).toEqual({
    ran: false,
    evaluated: 'refused',
    asked: 'refused',
    styled: false,
    refused: expect.arrayContaining([
      'connect-src',
      'frame-src',
      'img-src',
      'script-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-elem',
    ]),
  });
  // Each refusal is written to the console by the browser; here they are what was wanted.
  await page.reload();
  errors = watchForErrors(page);
});

test('every page stands in English', async () => {
  for (const [path, heading] of [
    ['today', 'Today'],
    ['reports', 'Reports'],
    ['queue', 'Queue'],
    ['batch', 'Batch'],
    ['insights', 'Insights'],
    ['settings/connection', 'Settings'],
  ] as const) {
    await page.goto(address(path));
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/);
  }
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
  await expect(page.getByRole('heading', { name: 'Put a report together' })).toBeVisible();
  await reach('Choose files');
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (
    await choosing
  ).setFiles([
    { name: 'one.jpg', mimeType: 'image/jpeg', buffer: makeJpeg() },
    { name: 'two.jpg', mimeType: 'image/jpeg', buffer: makeJpeg() },
  ]);
  await expect(page.getByRole('textbox', { name: 'File name 2' })).toHaveValue('two.jpg');
  await reach('Move up: two.jpg');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'File name 1' })).toHaveValue('two.jpg');
  await reach('Put into the queue');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Queue' })).toBeVisible();
  await page
    .getByText(/^Delivered/)
    .first()
    .waitFor({ timeout: 60_000 });
});

test('a proof of delivery is copied and saved, and all of them as a table', async () => {
  await page.getByRole('button', { name: 'Show steps' }).first().click();
  await page.getByRole('button', { name: 'Proof of delivery: two.jpg' }).click();
  const proof = page.getByRole('group', { name: 'Proof of delivery' }).first();
  await expect(proof.getByText('SHA-256')).toBeVisible();
  const saved = page.waitForEvent('download');
  await proof.getByRole('button', { name: 'Save' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^Proof of delivery .* two\.jpg\.txt$/);
  const table = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save proofs' }).click();
  expect((await table).suggestedFilename()).toBe('Proofs of delivery.csv');
  expect(await inspectPage(page, 'queue-proof')).toEqual([]);
});

test('with the service stopped every page works, and nothing turns for longer than 300 ms', async () => {
  expect(await service?.stop()).toBe(0);
  service = undefined;
  await page.getByRole('button', { name: 'Sync now' }).click();
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  // Spinners that stood still on the screen for 18 frames: 300 ms, or longer where frames are late.
  await page.evaluate(`(() => {
    window.turned = [];
    let frames = 0;
    const look = () => {
      const turning = document.querySelector('main .v-progress-circular, main [aria-busy=true]');
      frames = turning ? frames + 1 : 0;
      if (frames === 18) window.turned.push(location.hash + ' ' + turning.className);
      requestAnimationFrame(look);
    };
    look();
  })()`);
  for (const path of pages) {
    await page.goto(address(path));
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  }
  await page.goto(address('cases?status=Accepted'));
  const row = page.getByRole('listbox', { name: 'Case list' }).getByRole('option').first();
  await expect(row).toContainText('Accepted');
  await row.click();
  await expect(page.getByRole('region', { name: /^Documents/ })).toBeVisible();
  await page.getByLabel('Approved amount').fill('100');
  await page.getByRole('button', { name: 'Save amounts' }).click();
  await expect(page.getByText('Waiting for network').first()).toBeVisible();
  expect(await page.evaluate('window.turned')).toEqual([]);
});

test('what waits is paused, changed in its place, and taken back', async () => {
  await page.goto(address('queue'));
  await page.getByRole('button', { name: 'Pause delivery' }).click();
  await expect(page.getByText(/^Delivery is paused\./)).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
  await page.getByLabel('Approved amount').fill('250.50');
  expect(await inspectPage(page, 'queue-edit')).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/approved CHF.250\.50/)).toBeVisible();
  await page.getByRole('button', { name: 'Resume delivery' }).click();
  await expect(page.getByText(/^Delivery is paused\./)).toBeHidden();
});

test('two windows on one case stay in step', async () => {
  await page.goto(address('cases?status=InProgress'));
  await page.getByRole('listbox', { name: 'Case list' }).getByRole('option').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByLabel('Approved amount').fill('777');
  await second.getByRole('button', { name: 'Save amounts' }).click();
  await expect(page.getByLabel('Approved amount')).toHaveValue('777.00');
  await page.getByRole('textbox', { name: 'Comment' }).fill('Seen in both');
  await page.getByRole('button', { name: 'Save comment' }).click();
  await expect(second.getByRole('textbox', { name: 'Comment' })).toHaveValue('Seen in both');
  await second.close();
});
