import { beforeEach, expect, it, vi } from 'vitest';

const electron = vi.hoisted(() => ({
  openPath: vi.fn((_path: string) => Promise.resolve('')),
  startDrag: vi.fn(),
  focused: true,
  showSaveDialog: vi.fn((..._given: unknown[]) =>
    Promise.resolve({ canceled: false, filePath: '/h/b.desk' }),
  ),
  showOpenDialog: vi.fn((..._given: unknown[]) =>
    Promise.resolve({ canceled: false, filePaths: ['/h'] }),
  ),
}));
vi.mock('electron', () => ({
  shell: { openPath: electron.openPath },
  dialog: electron,
  BrowserWindow: {
    getFocusedWindow: () =>
      electron.focused ? { webContents: { startDrag: electron.startDrag } } : null,
  },
}));

const { choosePath } = await import('#main/electron/choose-path.ts');
const { handOver } = await import('#main/electron/hand-over.ts');
const path = '/home/desk/opened/a/Gutachten.pdf';

beforeEach(() => {
  vi.clearAllMocks();
  electron.focused = true;
});

it('opens a copy with the system’s program, and says so if there is none', async () => {
  expect(await handOver(path, 'program', 'tray.png')).toBe(true);
  expect(electron.openPath.mock.calls).toEqual([[path]]);
  electron.openPath.mockResolvedValueOnce('No application is registered');
  expect(await handOver(path, 'program', 'tray.png')).toBe(false);
  expect(electron.startDrag).not.toHaveBeenCalled();
});

it('lets a copy be dropped elsewhere, from the window that the person is in', async () => {
  expect(await handOver(path, 'drop', 'tray.png')).toBe(true);
  expect(electron.startDrag.mock.calls).toEqual([[{ file: path, icon: 'tray.png' }]]);
  electron.focused = false;
  expect(await handOver(path, 'drop', 'tray.png')).toBe(false);
  expect(electron.openPath).not.toHaveBeenCalled();
});

it('asks for a file to write, a file to read or a folder, over the window that is in front', async () => {
  expect(await choosePath({ purpose: 'backup', suggested: '/h/new.desk' })).toBe('/h/b.desk');
  const [window, options] = electron.showSaveDialog.mock.calls[0] ?? [];
  expect(window).toHaveProperty('webContents');
  expect(options).toMatchObject({
    defaultPath: '/h/new.desk',
    filters: [{ extensions: ['desk'] }],
  });
  electron.focused = false;
  expect(await choosePath({ purpose: 'folder', suggested: '' })).toBe('/h');
  expect(electron.showOpenDialog.mock.calls).toEqual([
    [{ properties: ['openDirectory', 'createDirectory'] }],
  ]);
  electron.showOpenDialog.mockResolvedValueOnce({ canceled: true, filePaths: [] });
  expect(await choosePath({ purpose: 'restore', suggested: '' })).toBeNull();
});
