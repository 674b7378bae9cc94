import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { makeJpeg } from '../support/sample-files.ts';
import { openServerView, sha256Hex } from '../support/server-view.ts';
import { deskFolder, test } from './desk-window.ts';
import { accessibilityFaults, addressOf, takePicture, submitReport } from './page.ts';

const folder = deskFolder();

/** Returns whether the window would ask before it closes, because the engine lacks a text. */
async function warnsOfClosing(page: Page): Promise<boolean> {
  return z.boolean().parse(
    await page.evaluate(`(() => {
      const closing = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(closing);
      return closing.defaultPrevented;
    })()`),
  );
}

test('on site: an assigned case takes all work offline, a kill loses no key, and it is sent once accepted', async ({
  openDesk,
}) => {
  const serviceArgs = ['--limits', 'x1000', '--backoffice'];
  let service = await folder.start('--demo', '40', ...serviceArgs);
  const { credentials } = service;
  const server = await openServerView(credentials);
  const chosen = (await server.cases()).find((one) => one['Status'] === 'Assigned');
  const caseId = String(chosen?.['Id']);
  let desk = await folder.open(openDesk, { lang: 'en', service });
  let { page } = desk;
  const reopen = async () => {
    await desk.kill();
    desk = await folder.open(openDesk, { lang: 'en', service });
    ({ page } = desk);
  };
  const openCase = () => page.goto(addressOf(page, `cases/${caseId}`));
  const estimate = () => page.getByLabel(/^(Cost estimate|Amount claimed)/);
  const comment = () => page.getByLabel('Comment', { exact: true });
  const notSent = () => page.getByText('Saved on this device, not sent yet').first();
  const reportSection = () => page.getByRole('region', { name: 'Reports' });
  const photo = makeJpeg();

  await test.step('without the network the case says what it takes, and when that goes out', async () => {
    // The service stops before the case is opened, which asks the insurer for its reports.
    expect(await service.stop()).toBe(0);
    await openCase();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await expect(page.getByText('Offline', { exact: true })).toBeVisible();
    await expect(page.getByText(/^This case has not been accepted yet \(Assigned\)/)).toBeVisible();
    await expect(reportSection().getByText('have not been downloaded yet')).toBeVisible();
  });

  await test.step('what is typed survives a reload and a kill, and is named as not sent', async () => {
    await estimate().fill("12'345.6");
    await comment().fill('The sill is bent');
    await expect(notSent()).toBeVisible();
    // The engine has the text once the window no longer warns before closing.
    await expect.poll(() => warnsOfClosing(page)).toBe(false);
    await page.reload();
    await expect(comment()).toHaveValue('The sill is bent');
    await comment().fill('The sill is bent, the door jams');
    await expect.poll(() => warnsOfClosing(page)).toBe(false);
    await reopen();
    await openCase();
    await expect(comment()).toHaveValue('The sill is bent, the door jams');
    await expect(estimate()).toHaveValue('12’345.60');
    await expect(notSent()).toBeVisible();
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await expect(page.getByRole('button', { name: /Entered, not saved$/ })).toBeVisible();
    await openCase();
  });

  await test.step('amounts, comment and a report with a photograph wait for the acceptance', async () => {
    await page.getByLabel('Assessed amount').fill('10000');
    await page.getByRole('button', { name: 'Save amounts' }).click();
    await page.getByRole('button', { name: 'Save comment' }).click();
    await page.getByRole('button', { name: 'New report' }).click();
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles([{ name: 'Sill.jpg', mimeType: 'image/jpeg', buffer: photo }]);
    await expect(page.getByRole('textbox', { name: 'File name 1' })).toHaveValue('Sill.jpg');
    await submitReport(page);
    await page.getByRole('link', { name: 'Outbox' }).first().click();
    await expect(page.getByText('Waiting for the case to be accepted')).toHaveCount(3);
    await takePicture(page, 'on-site-queue');
    expect(await accessibilityFaults(page)).toEqual([]);
    // The report that waits here says nothing of the insurer's reports.
    await openCase();
    await expect(reportSection()).toContainText('Report of');
    await expect(reportSection()).toContainText('have not been downloaded yet');
  });

  await test.step('killed again, and with the network back, nothing goes out before the insurer has it accepted', async () => {
    await desk.kill();
    service = await folder.start(...serviceArgs);
    await reopen();
    await openCase();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await expect(page.getByText('Online', { exact: true })).toBeVisible();
    expect(await server.case(caseId)).toMatchObject({ Status: 'Assigned', ExpertComment: '' });
    expect(await server.reports(caseId)).toEqual([]);
    await server.backoffice('POST', `/_backoffice/claims/${caseId}/accept`, {});
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText('Nothing to send').waitFor();
  });

  await test.step('all of it arrived, once', async () => {
    expect(await server.case(caseId)).toMatchObject({
      CostEstimateAmount: 12345.6,
      ApprovedAmount: 10000,
      ExpertComment: 'The sill is bent, the door jams',
    });
    const reports = await server.reports(caseId);
    expect(reports).toMatchObject([{ Status: 'Submitted' }]);
    expect(await server.documents(String(reports[0]?.['Id']))).toMatchObject([
      { fileName: 'Sill.jpg', sha256: sha256Hex(photo) },
    ]);
  });
  expect(desk.errors()).toEqual([]);
});
