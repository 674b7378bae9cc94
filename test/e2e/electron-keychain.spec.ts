import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { type Keyring, startKeyring } from '../support/keyring.ts';
import { patienceMs } from '../support/long.ts';
import { root, temporaryFolder } from '../support/processes.ts';
import { test } from './desk-window.ts';
import { launchElectron } from './launch-electron.ts';
import { letQuestionsThrough, openInWork } from './page.ts';

/** The desktop shell uses a real gnome-keyring, which the test locks and unlocks. */

test.skip(process.platform !== 'linux', 'the keyring of a test is the Secret Service of Linux');

const folder = temporaryFolder();
const home = join(folder.path, 'home');
let keyring: Keyring;
/** The process of the last desk. It is stored here because Playwright forgets an ended one. */
let child: ChildProcess | undefined;

test.beforeAll(async () => {
  keyring = await startKeyring();
});
test.afterEach(async () => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
});
test.afterAll(async () => {
  await keyring.end();
  folder.remove();
});

interface Box {
  readonly title?: string;
  readonly message: string;
  readonly buttons?: readonly string[];
  isOpen: boolean;
}

/** Starts the desk. Its boxes are recorded, and `press` answers them. */
async function start() {
  const { DESK_VAULT_PASSPHRASE: _none, ...env } = process.env;
  // The keychain must not answer before the boxes are recorded.
  keyring.silence();
  const desk = await launchElectron({
    args: [root, '--home', home, '--lang', 'en'],
    env: Object.fromEntries(
      Object.entries({ ...env, ...keyring.env }).map(([name, value]) => [name, value ?? '']),
    ),
    chromiumSandbox: true,
    locale: '',
  });
  child = desk.process();
  await desk.context().addInitScript({ content: letQuestionsThrough });
  await desk.evaluate(({ dialog }) => {
    const boxes: Box[] = [];
    Object.assign(globalThis, { boxes });
    dialog.showMessageBox = ((options: Electron.MessageBoxOptions) =>
      new Promise((resolve) => {
        const { title, message, buttons, signal } = options;
        const box = { title, message, buttons, isOpen: true } as Box;
        boxes.push(box);
        const answer = (response: number) => {
          box.isOpen = false;
          resolve({ response, checkboxChecked: false });
        };
        Object.assign(globalThis, { press: answer });
        signal?.addEventListener('abort', () => answer(options.cancelId ?? 0));
      })) as typeof dialog.showMessageBox;
  });
  keyring.resume();
  return {
    desk,
    boxes: () => desk.evaluate(() => Reflect.get(globalThis, 'boxes') as Box[]),
    press: (button: number) =>
      desk.evaluate((_electron, which) => {
        (Reflect.get(globalThis, 'press') as (button: number) => void)(which);
      }, button),
  };
}

async function pageOf(desk: ElectronApplication): Promise<Page> {
  const page = await desk.firstWindow({ timeout: patienceMs });
  const all = page.getByText(/60 cases on this device/);
  await all.waitFor({ state: 'attached' });
  return page;
}

async function end(desk: ElectronApplication): Promise<number | null> {
  const own = desk.process();
  const ended = once(own, 'exit');
  own.kill('SIGTERM');
  await ended;
  return own.exitCode;
}

const folders = () => readdirSync(join(home, 'workspaces')).sort();

test('a locked keychain is said, waited for, and opens the same data', async () => {
  const first = await start();
  const before = await pageOf(first.desk);
  await openInWork(before);
  const notes = before.getByRole('textbox', { name: 'Comment' });
  await notes.fill('seen on site');
  await before.getByText('Saved on this device, not sent yet').waitFor();
  expect(await end(first.desk)).toBe(0);
  expect(folders()).toEqual(['practice']);

  await keyring.lock();
  const { desk, boxes, press } = await start();
  const box = {
    title: 'Appraiser Desk',
    message: sayProblem({ code: 'keychain_locked', params: {} }, 'en'),
    buttons: ['Try again', 'Quit'],
    isOpen: true,
  };
  const blocked = async () => (await boxes()).filter(({ message }) => message === box.message);
  const open = async () => (await boxes()).filter(({ isOpen }) => isOpen);
  await expect.poll(blocked).toHaveLength(1);
  expect(await open()).toEqual([box]);
  await press(0);
  await expect.poll(blocked).toHaveLength(2);
  expect(await open()).toEqual([box]);
  // The window is there, and says nothing of cases that it cannot know.
  const waiting = await desk.firstWindow({ timeout: patienceMs });
  await expect(waiting.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
  await expect(waiting.getByRole('main')).toBeEmpty();

  await keyring.unlock();
  const page = await pageOf(desk);
  expect(await open()).toEqual([]);
  expect(folders()).toEqual(['practice']);
  await openInWork(page);
  await expect(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('seen on site');
  await end(desk);
});

test('the desk before a locked keychain can be quit', async () => {
  await keyring.lock();
  const { desk, boxes, press } = await start();
  const sentence = sayProblem({ code: 'keychain_locked', params: {} }, 'en');
  await expect.poll(async () => (await boxes()).at(-1)?.message).toBe(sentence);
  // Playwright forgets the process once it has ended.
  const own = desk.process();
  const ended = once(own, 'exit');
  await press(1).catch(() => undefined);
  await ended;
  expect(own.exitCode).toBe(0);
});
