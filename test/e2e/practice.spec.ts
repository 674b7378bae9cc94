import { expect, type Page } from '@playwright/test';
import { makeJpeg } from '../support/sample-files.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import { goBack, inspectPage, openCase, submitReport } from './page.ts';
import { ofWindow } from './specs.ts';

/** The user plays the insurer in English, and sees the effects as the appraiser. */
test.describe.configure({ mode: 'serial' });

const desk = openPracticeDesk({ lang: 'en' });
let page: Page;
test.beforeAll(() => {
  page = desk.page();
});

const nav = (name: string) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });

test('a claim is made, assigned and accepted, and the network is cut and mended', async () => {
  await nav('Practice').click();
  await expect(page.getByRole('heading', { name: 'Practice: you play the insurer' })).toBeVisible();
  await expect(page.getByRole('row').nth(5)).toBeVisible();
  expect(await inspectPage(page, 'practice-insurer')).toEqual([]);

  await page.getByRole('button', { name: 'New claim: Vehicle' }).click();
  const message = page.getByText(/^New claim SF-/);
  await expect(message).toBeVisible();
  const key = (await message.textContent())?.replace('New claim ', '') ?? '';

  await page.getByRole('button', { name: `Assign: ${key}` }).click();
  await expect(page.getByText(`Done: Assign, ${key}`)).toBeVisible();
  await page.getByRole('button', { name: `Accept: ${key}` }).click();
  await page.getByText('61 cases on this device').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: `Further steps: ${key}` }).click();
  await page.getByText('Add a document', { exact: true }).click();
  await expect(page.getByText(`Done: Add a document, ${key}`)).toBeVisible();

  await page.getByRole('radio', { name: 'Disconnected' }).click();
  await expect(page.getByRole('radio', { name: 'Disconnected' })).toBeChecked();
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('Offline', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Good' }).click();
  await expect(page.getByRole('radio', { name: 'Good' })).toBeChecked();
  await page.getByText('Online', { exact: true }).waitFor();

  await openCase(page, key);
  await expect(page.getByRole('button', { name: /^Open: Nachtrag_/ })).toBeVisible();
});

test(
  'a report is returned, approved and closed by the insurer, and the case reopened with a reason',
  ofWindow,
  async () => {
    const act = async (name: string, key: string, reason?: string) => {
      await nav('Practice').click();
      await page.getByRole('button', { name: `${name}: ${key}` }).click();
      if (reason !== undefined) {
        await page.getByLabel('Reason (optional)').fill(reason);
        await page.getByRole('dialog').getByRole('button', { name }).click();
      }
      await expect(page.getByText(`Done: ${name}, ${key}`)).toBeVisible();
    };
    const deliverReport = async (count: number) => {
      await page.getByRole('button', { name: 'New report' }).click();
      const file = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: makeJpeg() };
      await page.locator('input[type=file]').setInputFiles([file]);
      await expect(page.getByRole('textbox', { name: 'File name 1' })).toBeVisible();
      await submitReport(page);
      await expect(page.getByRole('article').getByText(/^Delivered/)).toHaveCount(count);
    };
    const key = /SF-\d{4}-\d{6}/.exec(await page.locator('header').innerText())?.[0] ?? '';
    const header = page.locator('header');

    await test.step('a report goes out, and comes back', async () => {
      await deliverReport(1);
      await act('Return the report', key, 'A picture is missing');
      await nav('Today').click();
      await page.getByRole('button', { name: /Returned reports$/ }).click();
      const returned = page.getByRole('region', { name: /^Returned reports/ });
      await expect(returned.getByRole('link').filter({ hasText: key })).toBeVisible();
    });

    await test.step('a second one is approved, and the case closed', async () => {
      await openCase(page, key);
      await expect(
        page.getByText(
          'Only in the practice workspace does the insurer give the reason: A picture is missing',
        ),
      ).toBeVisible();
      await deliverReport(2);
      await act('Approve the report', key);
      await act('Close', key);
      await openCase(page, key);
      await expect(header.getByText('Closed', { exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'New report' })).toBeHidden();
    });

    await test.step('it is reopened with a reason that is asked for, not cut and not lost', async () => {
      await header.getByRole('button', { name: 'Reopen' }).click();
      const dialog = page.getByRole('dialog', { name: 'Reopen a closed case' });
      const reopen = dialog.getByRole('button', { name: 'Reopen' });
      await expect(dialog.getByText('Please give a reason')).toBeVisible();
      await expect(reopen).toBeDisabled();
      await dialog.getByLabel('Reason').fill('x'.repeat(4001));
      await expect(dialog.getByText('1 character too many.')).toBeVisible();
      await expect(reopen).toBeDisabled();
      await dialog.getByLabel('Reason').fill('The garage found more');
      expect(await inspectPage(page, 'case-reopen')).toEqual([]);
      // The typed text is still there when the dialog is opened again.
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await nav('Outbox').click();
      // Until this page is shown, the button of the case is still there, and its dialog closes with
      // it.
      await expect(page.getByRole('heading', { name: 'Outbox', level: 1 })).toBeVisible();
      await goBack(page);
      await header.getByRole('button', { name: 'Reopen' }).click();
      await expect(dialog.getByLabel('Reason')).toHaveValue('The garage found more');
      await reopen.click();
      await expect(header.getByText('In progress', { exact: true })).toBeVisible();
      await expect(header.getByText('Reopening')).toBeHidden();
    });

    await test.step('the history tells it, and what came from this laptop', async () => {
      await page.getByText('History', { exact: true }).click();
      const history = page.getByRole('region', { name: 'History' });
      const change = (text: RegExp) => history.locator('li p').filter({ hasText: text }).first();
      await expect(change(/Closed → In progress/)).toContainText('from this device, delivered');
      await expect(change(/→ Closed/)).toContainText('not from this device');
      expect(await inspectPage(page, 'case-history')).toEqual([]);
    });
  },
);

test('over a slow and a faulty network an act arrives, once', ofWindow, async () => {
  const caseAddress = page.url();
  /** The service reports the choice when the panel is opened again, so the choice is in force. */
  const network = async (name: string) => {
    const radio = page.getByRole('radio', { name, exact: true });
    await nav('Practice').click();
    await radio.click();
    await expect(radio).toBeChecked();
    await nav('Today').click();
    await expect(radio).toBeHidden();
    await nav('Practice').click();
    await expect(radio).toBeChecked();
    await page.goto(caseAddress);
  };
  const setApproved = async (francs: string) => {
    await page.getByLabel('Assessed amount').fill(francs);
    await page.getByRole('button', { name: 'Save amounts' }).click();
  };
  const history = page.getByRole('region', { name: 'History' });
  const changeTo = (text: RegExp) => history.locator('li p').filter({ hasText: text });

  await network('Slow');
  await page.getByLabel(/^(Cost estimate|Amount claimed)/).fill('5000');
  await setApproved('4321');
  const amounts = page.getByRole('region', { name: 'Amounts' });
  await expect(amounts.getByText(/^Delivered/)).toBeVisible();

  await network('Faulty');
  await setApproved('4000');
  await page.getByRole('button', { name: 'Sync now' }).click();
  await network('Good');
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('History', { exact: true }).click();
  await expect(changeTo(/→.*4.000/)).toContainText('from this device, delivered');
  await expect(changeTo(/→.*4.321/)).toHaveCount(1);
  await expect(changeTo(/→.*4.000/)).toHaveCount(1);
});

test(
  'a case is rejected, another called off, and a reason that is too long is reported',
  ofWindow,
  async () => {
    const header = page.locator('header');
    for (const { before, act, status } of [
      { before: ['Assign'], act: 'Reject', status: 'Rejected' },
      { before: ['Assign', 'Accept'], act: 'Cancel claim', status: 'Cancelled' },
    ]) {
      await nav('Practice').click();
      await page.getByRole('button', { name: 'New claim: Property' }).click();
      const message = page.getByText(/^New claim SF-/);
      await expect(message).toBeVisible();
      const key = (await message.textContent())?.replace('New claim ', '') ?? '';
      for (const step of before) {
        await page.getByRole('button', { name: `${step}: ${key}` }).click();
        await expect(page.getByText(`Done: ${step}, ${key}`)).toBeVisible();
      }
      await page.getByRole('button', { name: `Further steps: ${key}` }).click();
      await page.getByText(act, { exact: true }).click();
      const dialog = page.getByRole('dialog', { name: act });
      await dialog.getByLabel('Reason (optional)').fill('x'.repeat(4001));
      await expect(dialog.getByText('1 character too many.')).toBeVisible();
      await expect(dialog.getByRole('button', { name: act })).toBeDisabled();
      await dialog.getByLabel('Reason (optional)').fill('Not insured here');
      expect(await inspectPage(page, `practice-${act.toLowerCase().replace(' ', '-')}`)).toEqual(
        [],
      );
      await dialog.getByRole('button', { name: act }).click();
      await expect(page.getByText(`Done: ${act}, ${key}`)).toBeVisible();

      await openCase(page, key);
      await expect(header.getByText(status, { exact: true })).toBeVisible();
    }
  },
);
