import { expect } from '@playwright/test';
import { z } from 'zod';
import { runDesk } from '../support/processes.ts';
import { connectExpert, deskFolder, test } from './desk-window.ts';
import { accessibilityFaults, addressOf, takePicture } from './page.ts';

const desks = deskFolder();
const listed = z.object({ items: z.array(z.object({ id: z.string() })) });

test('two values: the choice is under the head of the case, and made without scrolling', async ({
  openDesk,
}) => {
  const service = await desks.start('--demo', '12', '--limits', 'x10');
  const { page } = await desks.open(openDesk, { lang: 'de', home: 'mine', service });
  const colleague = desks.at('colleague');
  await connectExpert(colleague, service);
  await runDesk(colleague, 'sync');
  const found = await runDesk(colleague, 'cases', '--status', 'InProgress');
  const [{ id } = { id: '' }] = found.json(listed).items;

  await page.setViewportSize({ width: 900, height: 800 });
  await page.goto(addressOf(page, `cases/${id}`));
  await page.getByRole('button', { name: 'Anhalten' }).click();
  await page.getByLabel('Anerkannter Betrag').fill('8200');
  await page.getByLabel('Kostenvoranschlag').fill('9100');
  await page.getByRole('button', { name: 'Beträge speichern' }).click();
  await runDesk(colleague, 'amounts', id, '--approved', '7700');
  await runDesk(colleague, 'sync');
  await page.getByRole('button', { name: 'Fortsetzen' }).click();

  const choice = page
    .getByRole('region', { name: 'Ihr nächster Schritt' })
    .filter({ hasText: 'Welcher Wert gilt?' });
  await expect(choice.getByText('7’700.00')).toBeInViewport({ ratio: 1 });
  await expect(choice.getByText('8’200.00')).toBeInViewport({ ratio: 1 });
  const mine = choice.getByRole('button', { name: 'Meinen Wert senden' });
  await expect(mine).toBeInViewport({ ratio: 1 });
  await expect(choice.getByRole('button', { name: 'behalten' })).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.v-btn--variant-flat:visible')).toHaveCount(1);
  expect(await accessibilityFaults(page)).toEqual([]);

  await takePicture(page, 'two-values-900');
  await mine.click();
  await expect(choice).toBeHidden();
  await expect(page.getByText('Zugestellt').first()).toBeVisible();
  await runDesk(colleague, 'sync');
  const after = await runDesk(colleague, 'case', id);
  expect(after.json(z.object({ approvedAmount: z.number() })).approvedAmount).toBe(8200);
});
