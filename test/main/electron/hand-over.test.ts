import { beforeEach, expect, it, vi } from 'vitest';

const electron = vi.hoisted(() => ({
  openPath: vi.fn((_path: string) => Promise.resolve('')),
  startDrag: vi.fn(),
  focused: true,
}));
vi.mock('electron', () => ({
  shell: { openPath: electron.openPath },
  BrowserWindow: {
    getFocusedWindow: () =>
      electron.focused ? { webContents: { startDrag: electron.startDrag } } : null,
  },
}));

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
