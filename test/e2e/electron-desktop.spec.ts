import { type ElectronApplication, expect } from '@playwright/test';
import { serveLoginManager, serveNotifications, serveTray } from '../support/desktop-services.ts';
import { hasMessageBus, startBus, type TestBus } from '../support/message-bus.ts';
import { deskFolder, type DeskWindow, test } from './desk-window.ts';

// The desk works with a Linux desktop over the test's own message buses: an icon next to the clock,
// notifications, and the laptop's sleep.

test.skip(!hasMessageBus, 'there is no dbus-daemon, so no desktop services can be started');

const folder = deskFolder();
const buses: TestBus[] = [];
// The buses end after the desks, because Chromium aborts if its bus ends first.
test.afterAll(async () => {
  for (const bus of buses) await bus.stop();
});

async function openBus(): Promise<TestBus> {
  const bus = await startBus();
  buses.push(bus);
  return bus;
}

/** Returns the state of the window in the window manager. */
const windowState = (desk: DeskWindow) =>
  mainProcess(desk).evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (window?.isMinimized() === true) return 'minimized';
    return window?.isFocused() === true ? 'focused' : 'behind';
  });

const minimize = async (desk: DeskWindow) => {
  await mainProcess(desk).evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.minimize();
  });
  await expect.poll(() => windowState(desk)).toBe('minimized');
};

function mainProcess({ app }: DeskWindow): ElectronApplication {
  if (!app) throw new Error('only Electron has a main process');
  return app;
}

test('beside the clock: what waits, and a way back to the window', async ({ openDesk }) => {
  const bus = await openBus();
  const trayItem = await serveTray(bus);
  const desk = await folder.open(openDesk, {
    lang: 'de',
    env: { DBUS_SESSION_BUS_ADDRESS: bus.address },
  });
  const tray = await trayItem();
  await expect(async () => {
    expect(await tray.toolTip()).toBe('Appraiser Desk: Nichts zu senden');
  }).toPass();
  expect(await tray.menu()).toEqual(['(Nichts zu senden)', 'Appraiser Desk anzeigen', 'Beenden']);
  await minimize(desk);
  await tray.activate();
  await expect.poll(() => windowState(desk)).toBe('focused');
  await minimize(desk);
  // The menu is built again if the waiting work has changed since it was read.
  await expect(() => tray.choose('Appraiser Desk anzeigen')).toPass();
  await expect.poll(() => windowState(desk)).toBe('focused');
  const ended = mainProcess(desk).waitForEvent('close');
  await expect(() => tray.choose('Beenden')).toPass();
  await ended;
  expect(await desk.stop()).toBe(0);
});

test('a notification tells of a part that failed, and its click shows the desk', async ({
  openDesk,
}) => {
  const bus = await openBus();
  const notices = await serveNotifications(bus);
  const desk = await folder.open(openDesk, {
    lang: 'de',
    home: 'notified',
    env: { DBUS_SESSION_BUS_ADDRESS: bus.address },
  });
  const app = mainProcess(desk);
  const isSupported = await app.evaluate(({ Notification }) => Notification.isSupported());
  test.skip(!isSupported, 'the system lacks libnotify, over which Electron shows notifications');
  await minimize(desk);
  const engine = await app.evaluate(
    ({ app: self }) =>
      self.getAppMetrics().find((each) => each.name === 'Appraiser Desk Engine')?.pid,
  );
  process.kill(Number(engine), 'SIGKILL');
  await expect
    .poll(() => notices.map(({ title, body }) => `${title}: ${body}`))
    .toEqual([
      'Appraiser Desk: Ein Teil von Appraiser Desk wurde nach einem Fehler neu gestartet. Gespeicherte Eingaben sind erhalten.',
    ]);
  notices[0]?.click();
  await expect.poll(() => windowState(desk)).toBe('focused');
  await desk.stop();
});

test('the laptop wakes: the desk is online at once, not at its next round', async ({
  openDesk,
}) => {
  const bus = await openBus();
  const service = await folder.start('--demo', '5', '--limits', 'x1000');
  const login = await serveLoginManager(bus);
  const desk = await folder.open(openDesk, {
    lang: 'de',
    home: 'sleeping',
    service,
    env: { DBUS_SYSTEM_BUS_ADDRESS: bus.address },
  });
  const { page } = desk;
  await service.stop();
  await page.getByRole('button', { name: 'Jetzt synchronisieren' }).click();
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  await folder.start('--limits', 'x1000');
  login.sleepAndWake();
  // Chromium closes Playwright's connection to the page when the laptop falls asleep.
  await expect
    .poll(() =>
      mainProcess(desk).evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          "document.querySelector('footer').innerText",
        ),
      ),
    )
    .toMatch(/^Online$/m);
  await desk.kill();
});
