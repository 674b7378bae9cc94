import { type ElectronApplication, expect } from '@playwright/test';
import { openServerView } from '../support/server-view.ts';
import { deskFolder, test } from './desk-window.ts';
import { openInWork } from './page.ts';

// The system ends Chromium's network process while the desk works.

const folder = deskFolder();

/** Returns the id of the process that sends all requests, found by Chromium's name for it. */
const networkProcess = async (app: ElectronApplication | null) =>
  await app?.evaluate(
    ({ app: self }) =>
      self.getAppMetrics().find((each) => each.serviceName === 'network.mojom.NetworkService')?.pid,
  );

test('the network process dies: what is typed stays, and what is saved reaches the insurer', async ({
  openDesk,
}) => {
  const service = await folder.start('--demo', '40');
  const server = await openServerView(service.credentials);
  const desk = await folder.open(openDesk, { lang: 'de', service });
  const { page, app } = desk;
  await openInWork(page);
  const caseId = /cases\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  const comment = page.getByLabel('Kommentar', { exact: true });
  await comment.fill('Der Schweller ist verzogen');

  const before = await networkProcess(app);
  process.kill(Number(before), 'SIGKILL');
  await expect.poll(() => networkProcess(app)).not.toBe(before);

  await expect(comment).toHaveValue('Der Schweller ist verzogen');
  // A save during the engine's restart is refused with a reason, and the user tries again.
  const save = page.getByRole('button', { name: 'Kommentar speichern' });
  await expect(async () => {
    // The button disappears once the text is saved. A disabled one takes no click.
    await save.evaluateAll((buttons) => {
      for (const button of buttons) (button as { click?(): void }).click?.();
    });
    expect((await server.case(caseId))['ExpertComment']).toBe('Der Schweller ist verzogen');
  }).toPass();
  await page.getByRole('button', { name: 'Jetzt synchronisieren' }).click();
  await expect(page.getByText('Online', { exact: true })).toBeVisible();
  await expect(page.getByText('Nichts zu senden').first()).toBeVisible();
  expect(desk.errors()).toEqual([]);
});
