import { beforeEach, expect, it, vi } from 'vitest';
import { electron, stand } from './electron-stand-in.ts';
import { BrowserWindowStandIn } from './window-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
const { dialog, shell } = electron;

const { choosePath } = await import('#main/electron/choose-path.ts');
const { handOver } = await import('#main/electron/hand-over.ts');
const path = '/home/desk/opened/a/Gutachten.pdf';

beforeEach(() => {
  stand.startReady();
  new BrowserWindowStandIn().show();
});

it('opens a copy with the system’s program, and says so if there is none', async () => {
  expect(await handOver(path, 'program', 'tray.png')).toBe(true);
  expect(shell.openPath.mock.calls).toEqual([[path]]);
  shell.openPath.mockResolvedValueOnce('No application is registered');
  expect(await handOver(path, 'program', 'tray.png')).toBe(false);
  expect(stand.window().contents.did).toEqual([]);
});

it('lets a copy be dropped elsewhere, from the window that the person is in', async () => {
  expect(await handOver(path, 'drop', 'tray.png')).toBe(true);
  expect(stand.window().contents.did).toEqual([`drag ${path} as tray.png`]);
  stand.window().blur();
  expect(await handOver(path, 'drop', 'tray.png')).toBe(false);
  expect(shell.openPath).not.toHaveBeenCalled();
});

it('asks for a file to write, a file to read or a folder, over the window that is in front', async () => {
  stand.chosenPath = '/h/b.desk';
  expect(await choosePath({ purpose: 'backup', suggested: '/h/new.desk' })).toBe('/h/b.desk');
  const [window, options] = dialog.showSaveDialog.mock.calls[0] ?? [];
  expect(window).toBe(stand.window());
  expect(options).toMatchObject({
    defaultPath: '/h/new.desk',
    filters: [{ extensions: ['desk'] }],
  });
  stand.window().blur();
  stand.chosenPath = '/h';
  expect(await choosePath({ purpose: 'folder', suggested: '' })).toBe('/h');
  expect(dialog.showOpenDialog.mock.calls).toEqual([
    [{ properties: ['openDirectory', 'createDirectory'] }],
  ]);
  stand.chosenPath = null;
  expect(await choosePath({ purpose: 'restore', suggested: '' })).toBeNull();
});
