import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { endsWithTests } from '../support/children.ts';
import { type RunningDesk, root, startDesk } from '../support/processes.ts';
import { keepNoDocuments, test } from './desk-window.ts';
import { addressOf, newReport, openWindow } from './page.ts';

/** The text that is typed while a stranger listens. The photo is attached at the same time. */
const typed = 'Privates Gutachten';
const photo = Buffer.concat([Buffer.from('ffd8fffe0012', 'hex'), Buffer.from('Privates Foto...')]);

const lineSchema = z.object({
  asked: z.string().default(''),
  said: z.string().default(''),
  message: z.string().default(''),
  body: z.string().default(''),
  headers: z.record(z.string(), z.unknown()).default({}),
});
type Line = z.infer<typeof lineSchema>;

interface Stranger {
  /** Waits until the stranger has received this many matching lines since the last `answer`. */
  heard(isAwaited: (line: Line) => boolean, times?: number): Promise<void>;
  readonly lines: Line[];
  answer(how: 'code' | 'missing' | 'elsewhere' | 'silent'): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Takes a port as soon as it is free, as another user of this machine if the test has the rights.
 */
async function takePort(port: string): Promise<Stranger> {
  const uid = process.getuid?.() === 0 ? ['65534'] : [];
  const program = join(root, 'test/support/stranger.ts');
  const child: ChildProcess = endsWithTests(
    spawn(process.execPath, [program, port, ...uid], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  if (!child.stdout || !child.stdin) throw new Error('the stranger has no pipes');
  const { stdin } = child;
  const lines: Line[] = [];
  const reader = createInterface({ input: child.stdout });
  const [first] = (await once(reader, 'line')) as [string];
  expect(JSON.parse(first)).toEqual({ listening: true });
  reader.on('line', (line) => lines.push(lineSchema.parse(JSON.parse(line))));
  return {
    lines,
    heard: (isAwaited, times = 1) =>
      expect.poll(() => lines.filter(isAwaited).length).toBeGreaterThanOrEqual(times),
    async answer(how) {
      const done = once(reader, 'line');
      stdin.write(`${how}\n`);
      await done;
      lines.length = 0;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * Returns the faults among the lines: secrets that the stranger was given, and code of it that ran.
 */
function harm(lines: readonly Line[], secrets: readonly string[]): string[] {
  const given = (line: Line) => JSON.stringify([line.asked, line.message, line.body, line.headers]);
  return lines.flatMap((line) => {
    const found = [typed, 'Privates Foto', ...secrets].filter((one) => given(line).includes(one));
    if (line.asked.endsWith('/ran?by=page')) found.push('its code runs in the page');
    if (line.asked.endsWith('/ran?by=worker')) found.push('its code runs in a worker');
    if (line.asked.includes('/styled')) found.push('its style sheet is used');
    // This is the only message that the stranger may receive, because it cannot prove itself.
    if (line.said !== '' && !/^\{"name":"[\w-]{43}","number":"[\w-]{43}"\}$/.test(line.message))
      found.push(`a message: ${line.message.slice(0, 60)}`);
    return found.map((one) => `${line.asked}${line.said} ${one}`);
  });
}

const comment = (page: Page) => page.getByLabel('Kommentar', { exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const isScript = ({ asked }: Line) => asked.endsWith('.js');
const isMessage = ({ said }: Line) => said !== '';

async function openFirstCase(context: BrowserContext, desk: RunningDesk): Promise<Page> {
  const page = await context.newPage();
  await openWindow(page, desk.url);
  await link(page, 'Fälle').click();
  await page.getByRole('option').first().click();
  await expect(comment(page)).toBeVisible();
  return page;
}

/** Returns everything that the browser has stored for the page. */
const storedBy = async (page: Page) =>
  z
    .array(z.string())
    .parse(await page.evaluate('Object.values({ ...sessionStorage })'))
    .filter((value) => value.length > 20);

test('a stranger who takes the port of a desk gets nothing, runs nothing and leaves nothing', async ({
  playwright,
  launchOptions,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'desk-stranger-'));
  keepNoDocuments(home);
  const args = ['--lang', 'de', '--vault', 'passphrase'];
  process.env['DESK_VAULT_PASSPHRASE'] ??= 'only for this test';
  const browser = await playwright.chromium.launch(launchOptions);
  const context = await browser.newContext();
  let desk = await startDesk({ home, args });
  let stranger: Stranger | undefined;
  const portOf = (page: Page) => new URL(page.url()).port;
  const harmed: string[] = [];
  const look = (step: string, secrets: readonly string[] = []) => {
    harmed.push(...harm(stranger?.lines ?? [], secrets).map((one) => `${step}: ${one}`));
    stranger?.lines.splice(0);
  };
  try {
    const page = await openFirstCase(context, desk);
    // This page is in another browser, because windows of one browser share what the link gave
    // them.
    const again = await (await browser.newContext()).newPage();
    await again.goto(desk.url);
    await expect(again.getByText('Dieser Link gilt nicht mehr')).toBeVisible();
    await again.context().close();
    const report = await context.newPage();
    await report.goto(addressOf(page, 'today'));
    await newReport(report, 1);
    const secrets = [new URL(desk.url).hash.slice(7), ...(await storedBy(page))];
    const former = portOf(page);

    await desk.kill();
    stranger = await takePort(former);
    await comment(page).fill(typed);
    await stranger.heard(isMessage, 2);
    await expect(page.getByText('Nicht gespeichert.').first()).toBeVisible();
    look('killed, typing', secrets);
    await report
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'Foto.jpg', mimeType: 'image/jpeg', buffer: photo });
    await stranger.heard(isMessage, 2);
    await expect(report.getByText('Verbindung zu Appraiser Desk').first()).toBeVisible();
    look('killed, a photo', secrets);
    for (const [how, name] of [
      ['code', 'Hilfe'],
      ['missing', 'Auswertung'],
      ['elsewhere', 'Sammelversand'],
      ['silent', 'Einstellungen'],
    ] as const) {
      await stranger.answer(how);
      await link(page, name).click();
      await stranger.heard(isScript);
      if (how !== 'silent')
        await expect(page.getByText('Verbindung zu Appraiser Desk').first()).toBeVisible();
      await page.goBack();
      await expect(comment(page)).toHaveValue(typed);
      look(`a page, ${how}`, secrets);
    }

    // When the user reloads the window, the stranger controls it from then on.
    await stranger.answer('code');
    await report.evaluate('window.onbeforeunload = null');
    report.on('dialog', (dialog) => void dialog.accept());
    await report.reload();
    await expect(report).toHaveTitle('planted');
    await stranger.heard(isMessage);
    const isRun = ({ asked }: Line) => asked.endsWith('/ran?by=page');
    await stranger.heard(isRun);
    if (stranger.lines.some((one) => isRun(one) && one.body.includes('desk-session')))
      harmed.push('loaded again: reads the stored secret');
    const heard = stranger.lines.filter(({ asked }) => asked.endsWith('/heard'));
    harmed.push(...heard.map(({ body }) => `loaded again: hears ${body}`));
    const own = (one: Line) => !isRun(one);
    harmed.push(...harm(stranger.lines.filter(own), secrets).map((one) => `loaded again: ${one}`));
    await stranger.stop();

    desk = await startDesk({ home, args });
    const next = await openFirstCase(context, desk);
    const planted = await next.evaluate(
      'String(navigator.serviceWorker?.controller?.scriptURL ?? globalThis.isStrangers)',
    );
    if (planted !== 'undefined') harmed.push(`restarted: ${String(planted)}`);
    const ofCase = next.url();
    await link(next, 'Hilfe').click();
    await expect(next.getByRole('heading', { name: 'Hilfe', level: 1 })).toBeVisible();
    if (new URL(desk.url).port === former) harmed.push('restarted: on the former port');
    // The typed text is still there, with advice.
    await expect(comment(page)).toHaveValue(typed);
    await expect(
      page.getByRole('alert').filter({ hasText: 'starten Sie das Programm neu' }),
    ).toBeVisible();

    await next.bringToFront();
    await next.goBack();
    await expect(next).toHaveURL(ofCase);
    // The page asks the engine for its case before it shows the field.
    await expect(comment(next)).toBeVisible();
    await desk.stop();
    stranger = await takePort(portOf(next));
    await comment(next).fill(typed);
    await stranger.heard(isMessage);
    look('ended cleanly, typing', [new URL(desk.url).hash.slice(7), ...secrets]);
    expect(harmed).toEqual([]);
  } finally {
    await browser.close();
    await desk.stop();
    await stranger?.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
