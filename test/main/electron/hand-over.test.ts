import { beforeEach, expect, it, vi } from 'vitest';
import { electron, stand } from './electron-stand-in.ts';
import { BrowserWindowStandIn } from './window-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
const { dialog, shell } = electron;

const { choosePath } = await import('#main/electron/choose-path.ts');
const { handOver } = await import('#main/electron/hand-over.ts');
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

it('opens a copy with the system’s program, and says so if there is none', async () => {
  expect(await handOver({ path, to: 'program', window }, 'tray.png')).toBe(true);
  expect(shell.openPath.mock.calls).toEqual([[path]]);
  shell.openPath.mockResolvedValueOnce('No application is registered');
  expect(await handOver({ path, to: 'program', window }, 'tray.png')).toBe(false);
  expect(asking.contents.did).toEqual([]);
});

it('lets a copy be dropped elsewhere, from the window that it is dragged out of', async () => {
  expect(await handOver({ path, to: 'drop', window }, 'tray.png')).toBe(true);
  expect(asking.contents.did).toEqual([`drag ${path} as tray.png`]);
  expect(stand.window().contents.did).toEqual([]);
  asking.close();
  expect(await handOver({ path, to: 'drop', window }, 'tray.png')).toBe(false);
  expect(shell.openPath).not.toHaveBeenCalled();
});

it('asks for a file to write, a file to read or a folder, over the window that asks', async () => {
  stand.chosenPath = '/h/b.desk';
  expect(
    await choosePath({ window, question: { purpose: 'backup', suggested: '/h/new.desk' } }),
  ).toBe('/h/b.desk');
  const [over, options] = dialog.showSaveDialog.mock.calls[0] ?? [];
  expect(over).toBe(asking);
  expect(options).toMatchObject({
    defaultPath: '/h/new.desk',
    filters: [{ extensions: ['desk'] }],
  });
  asking.close();
  stand.chosenPath = '/h';
  expect(await choosePath({ window, question: { purpose: 'folder', suggested: '' } })).toBe('/h');
  expect(dialog.showOpenDialog.mock.calls).toEqual([
    [{ properties: ['openDirectory', 'createDirectory'] }],
  ]);
  stand.chosenPath = null;
  expect(await choosePath({ window, question: { purpose: 'restore', suggested: '' } })).toBeNull();
});
