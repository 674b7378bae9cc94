import { expect } from '@playwright/test';
import { z } from 'zod';
import { makeJpeg, makePdf } from '../support/sample-files.ts';
import { openServerView, sha256Hex } from '../support/server-view.ts';
import { deskFolder, test } from './desk-window.ts';
import { accessibilityFaults, expectPicture, openCase, takePicture, submitReport } from './page.ts';

const folder = deskFolder();

const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });

test('the return: its reason is noted in one tap, and a revision begins with its files', async ({
  openDesk,
}) => {
  let service = await folder.start('--demo', '40', '--limits', 'x1000', '--backoffice');
  const server = await openServerView(service.credentials);
  const chosen = (await server.cases()).find((one) => one['Status'] === 'Accepted');
  const caseId = String(chosen?.['Id']);
  const externalKey = String(chosen?.['ExternalKey']);
  const insurer = z.object({ Name: z.string() }).parse(chosen?.['Insurer']).Name;
  const before = (await server.reports(caseId)).length;
  const submitted = async () =>
    (await server.reports(caseId)).filter((one) => one['Status'] === 'Submitted');

  const desk = await folder.open(openDesk, { lang: 'en', service });
  const { page } = desk;
  const reports = page.getByRole('region', { name: 'Reports' });
  const first = Buffer.from(await makePdf('The first report'));
  const second = Buffer.from(await makePdf('The report, corrected'));
  const photo = makeJpeg();

  await test.step('a report of two files is sent', async () => {
    await openCase(page, externalKey);
    await page.getByRole('button', { name: 'New report' }).click();
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles([
        pdf('Report.pdf', first),
        { name: 'Front.jpg', mimeType: 'image/jpeg', buffer: photo },
      ]);
    await expect(page.getByRole('textbox', { name: 'File name 2' })).toHaveValue('Front.jpg');
    await page.getByLabel('Salvage').nth(1).check();
    await page.getByRole('textbox', { name: 'Comment on the report' }).fill('Seen on the lift');
    await submitReport(page);
    await expect.poll(async () => (await submitted()).length).toBe(1);
  });

  await test.step('the insurer returns it, without a reason that the interface tells', async () => {
    const [report] = await submitted();
    const path = `/_backoffice/reports/${String(report?.['Id'])}/return`;
    await server.backoffice('POST', path, { Reason: 'The total is wrong' });
    await page.getByRole('button', { name: 'Sync now' }).click();
    await openCase(page, externalKey);
    await expect(reports.getByText('Returned', { exact: true })).toBeVisible();
    await expect(reports.getByText(/submitted .* · returned /)).toBeVisible();
    // The head of the case shows the returned report and the next step.
    const returned = page.getByRole('region', { name: 'Your next step' });
    await expect(returned.getByText('Report 1 returned, reason not known')).toBeVisible();
    await expect(returned.getByText('The insurer gives no reason')).toBeVisible();
    await expect(returned.getByRole('button', { name: 'Revise this report' })).toBeEnabled();
  });

  await test.step('after the telephone call the reason is noted in one tap', async () => {
    const returned = page.getByRole('region', { name: 'Your next step' });
    await returned.getByRole('button', { name: 'Photographs' }).click();
    await expect(
      returned.getByRole('button', { name: 'Photographs', pressed: true }),
    ).toBeVisible();
    await returned.getByRole('textbox', { name: 'What was discussed' }).fill('Front is blurred');
    await expect(returned.getByText('Only on this device, never sent.')).toBeVisible();
    await expect(returned.getByText('Report 1 returned: Photographs')).toBeVisible();
    await takePicture(page, 'return-noted');
  });

  await test.step('it is counted, and shown before the next report to that insurer', async () => {
    await page.getByRole('link', { name: 'Figures' }).click();
    const figure = page.getByRole('region', { name: 'Returned reports by insurer' }).first();
    await expect(
      figure
        .getByRole('row')
        .filter({ hasText: insurer })
        .getByText(/^Photographs 1/),
    ).toBeVisible();
    const other = (await server.cases()).find(
      (one) =>
        one['Status'] === 'Accepted' &&
        one['Id'] !== caseId &&
        z.object({ Name: z.string() }).parse(one['Insurer']).Name === insurer,
    );
    await openCase(page, String(other?.['ExternalKey']));
    await page.getByRole('button', { name: 'New report' }).click();
    await expect(
      page.getByText(/^\d of \d+ reports? to this insurer came back. Noted reason: Photographs$/),
    ).toBeVisible();
    await openCase(page, externalKey);
  });

  await test.step('what was sent is read from this laptop, the partner being away', async () => {
    expect(await service.stop()).toBe(0);
    await reports.getByRole('button', { name: 'Show sent files' }).click();
    await expectPicture(reports.getByRole('button', { name: 'Front.jpg' }));
    await reports.getByRole('button', { name: 'Report.pdf' }).click();
    const viewer = page.getByRole('region', { name: /^Document / });
    await expect(viewer.locator('.text-layer').getByText('The first report')).toBeAttached();
    await page.keyboard.press('Escape');
    await takePicture(page, 'returned-report');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  await test.step('a revision begins with its files, and one is replaced', async () => {
    await page.getByRole('button', { name: 'Revise this report' }).click();
    await expect(page.getByRole('textbox', { name: 'File name 2' })).toHaveValue('Front.jpg');
    // The page shows that this is a revision, of which report, and why, as far as the partner
    // states it.
    await expect(page.getByRole('heading', { name: 'Revision of report 1' })).toBeVisible();
    const returned = page.getByRole('region', { name: 'Report 1', exact: true });
    await expect(returned.getByText(/submitted .* · returned /)).toBeVisible();
    await expect(
      returned.getByRole('button', { name: 'Photographs', pressed: true }),
    ).toBeVisible();
    await expect(returned.getByRole('textbox', { name: 'What was discussed' })).toHaveValue(
      'Front is blurred',
    );
    await expect(page.getByRole('textbox', { name: 'Comment on the report' })).toHaveValue(
      'Seen on the lift',
    );
    await expect(page.getByLabel('Salvage').nth(1)).toBeChecked();
    const replacing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Replace with another file: Report.pdf' }).click();
    await (await replacing).setFiles([pdf('Report corrected.pdf', second)]);
    await expect(page.getByRole('textbox', { name: 'File name 1' })).toHaveValue(
      'Report corrected.pdf',
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    // A file that is sent unchanged needs no work and blocks nothing.
    const another = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Replace with another file: Front.jpg' }).click();
    await (await another).setFiles([{ name: 'Front.jpg', mimeType: 'image/jpeg', buffer: photo }]);
    await expect(page.getByRole('button', { name: 'Submit report' })).toBeEnabled();
    await takePicture(page, 'revision');
    await submitReport(page);
  });

  await test.step('it arrives, and the case says what happened when', async () => {
    service = await folder.start('--limits', 'x1000', '--backoffice');
    await page.getByRole('button', { name: 'Sync now' }).click();
    await expect.poll(async () => (await submitted()).length).toBe(1);
    const [report] = await submitted();
    expect(report).toMatchObject({ Comment: 'Seen on the lift', RevisionNo: 2 });
    expect(await server.documents(String(report?.['Id']))).toMatchObject([
      { fileName: 'Front.jpg', isSalvageSale: true, sha256: sha256Hex(photo) },
      { fileName: 'Report corrected.pdf', isSalvageSale: false, sha256: sha256Hex(second) },
    ]);
    await openCase(page, externalKey);
    await expect(
      reports.getByText(new RegExp(`returned .* · replaced by report ${before + 2}, `)),
    ).toBeVisible();
    await expect(page.getByText('no report submitted yet')).toHaveCount(0);
    expect(desk.errors()).toEqual([]);
  });

  await test.step('another laptop begins a revision from what the partner holds', async () => {
    const [report] = await submitted();
    await server.backoffice('POST', `/_backoffice/reports/${String(report?.['Id'])}/return`, {});
    const other = await folder.open(openDesk, { lang: 'en', home: 'second', service });
    await openCase(other.page, externalKey);
    await other.page.getByRole('button', { name: 'Revise this report' }).click();
    await expect(other.page.getByRole('textbox', { name: 'File name 1' })).toHaveValue(
      'Report corrected.pdf',
    );
    await expect(other.page.getByRole('textbox', { name: 'File name 2' })).toHaveValue('Front.jpg');
    await expect(other.page.getByLabel('Salvage').nth(1)).toBeChecked();
    await other.page.getByRole('button', { name: 'View: Report corrected.pdf' }).click();
    await expect(
      other.page.getByRole('dialog').locator('.text-layer').getByText('The report, corrected'),
    ).toBeAttached();
    expect(other.errors()).toEqual([]);
  });
});
