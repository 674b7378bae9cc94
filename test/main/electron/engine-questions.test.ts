import { beforeEach, expect, it, vi } from 'vitest';
import type { DocumentTaker } from '#shared/desk/reports/documents.ts';
import type { DeskUpdate } from '#shared/desk/setup/update.ts';
import type { PathQuestion } from '#shared/desk/setup/work-package.ts';
import { electron, stand } from './electron-stand-in.ts';
import { BrowserWindowStandIn } from './window-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
const { dialog, shell } = electron;

const { answerQuestion } = await import('#main/electron/engine-questions.ts');
const path = '/home/desk/opened/a/Gutachten.pdf';

/** The window whose call is answered; another one has the focus. */
let asking: BrowserWindowStandIn;
let window: number;
beforeEach(() => {
  stand.startReady();
  asking = new BrowserWindowStandIn();
  window = asking.contents.id;
  new BrowserWindowStandIn().show();
});

const update = { found: () => found, install: vi.fn() };
let found: DeskUpdate | null = null;
const parts = { icon: 'tray.png', update };
const handOver = (to: DocumentTaker) =>
  answerQuestion({ type: 'ask', id: 1, window, about: 'hand-over', path, to }, parts);
const choosePath = (purpose: PathQuestion['purpose'], suggested = '') =>
  answerQuestion(
    { type: 'ask', id: 1, window, about: 'choose-path', question: { purpose, suggested } },
    parts,
  );

it('opens a copy with the system’s program, and says so if there is none', async () => {
  expect(await handOver('program')).toBe(true);
  expect(shell.openPath.mock.calls).toEqual([[path]]);
  shell.openPath.mockResolvedValueOnce('No application is registered');
  expect(await handOver('program')).toBe(false);
  expect(asking.contents.did).toEqual([]);
});

it('lets a copy be dropped elsewhere, from the window that it is dragged out of', async () => {
  expect(await handOver('drop')).toBe(true);
  expect(asking.contents.did).toEqual([`drag ${path} as tray.png`]);
  expect(stand.window().contents.did).toEqual([]);
  expect(shell.openPath).not.toHaveBeenCalled();
});

it('asks for a file to write, a file to read or a folder, over the window that asks', async () => {
  stand.chosenPath = '/h/b.desk';
  expect(await choosePath('backup', '/h/new.desk')).toBe('/h/b.desk');
  const [over, options] = dialog.showSaveDialog.mock.calls[0] ?? [];
  expect(over).toBe(asking);
  expect(options).toMatchObject({
    defaultPath: '/h/new.desk',
    filters: [{ extensions: ['desk'] }],
  });
  stand.chosenPath = '/h';
  expect(await choosePath('folder')).toBe('/h');
  expect(dialog.showOpenDialog.mock.calls).toEqual([
    [asking, { properties: ['openDirectory', 'createDirectory'] }],
  ]);
  stand.chosenPath = null;
  expect(await choosePath('restore')).toBeNull();
});

it('asks for nothing and drags nothing once that window is closed, but opens a copy', async () => {
  asking.close();
  stand.chosenPath = '/h';
  expect([await choosePath('folder'), await handOver('drop')]).toEqual([null, null]);
  expect(dialog.showOpenDialog).not.toHaveBeenCalled();
  expect(await handOver('program')).toBe(true);
});

it('names the newer version, and has it installed when the user says', async () => {
  const ask = (install: 'now' | 'start' | null) =>
    answerQuestion({ type: 'ask', id: 1, window, about: 'update', install }, parts);
  expect(await ask(null)).toBeNull();
  found = { version: '2.0.0', by: 'user', hasFailed: false };
  expect([await ask(null), await ask('now'), await ask('start')]).toEqual([found, found, found]);
  expect(update.install.mock.calls).toEqual([['now'], ['start']]);
});
