import { expect } from '@playwright/test';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { deskFolder, test } from './desk-window.ts';
import { accessibilityFaults, addressOf, openCase, overflowsSideways } from './page.ts';

/**
 * The payloads of these claims do not match their category. The page shows them verbatim and is
 * never blank.
 */
const folder = deskFolder();

/** What the insurer sent, and the parts of it that the page must show. */
const odd: readonly { readonly payloadJson: string; readonly shown: readonly string[] }[] = [
  { payloadJson: '[1, "two"', shown: ['[1, "two"'] },
  { payloadJson: '', shown: ['Die Angaben lassen sich nicht als Formular darstellen.'] },
  { payloadJson: 'null', shown: ['null'] },
  { payloadJson: '"only words"', shown: ['"only words"'] },
  { payloadJson: '{}', shown: ['Keine Angaben vom Versicherer.'] },
  {
    payloadJson: JSON.stringify({
      insured: 7,
      insuredPersons: 'none at all',
      estimatedAmount: { about: 500 },
      incidentDate: 'some day in spring',
      inspectionDate: 20260309,
      claimInsurance: 'a_kind_nobody_knows',
      vehicle: { make: ['A', 'B'], 'unknown member': true },
    }),
    shown: [
      'none at all',
      '{"about":500}',
      'some day in spring',
      'a_kind_nobody_knows',
      '["A","B"]',
    ],
  },
  {
    payloadJson: JSON.stringify({
      policyNumber: 'X'.repeat(3000),
      insured: { name: 'N'.repeat(500) },
      claimDescription: 'אבג \u202edesrever 👩‍👩‍👧‍👦 <img src=x onerror=alert(1)>',
    }),
    shown: ['X'.repeat(3000), 'N'.repeat(500), 'אבג', 'desrever 👩‍👩‍👧‍👦 <img src=x onerror=alert(1)>'],
  },
  { payloadJson: `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`, shown: ['{"a":{"a":'] },
];

const longName = odd.findIndex(({ payloadJson }) => payloadJson.includes('NNN'));

/**
 * Changes the stored payloads of the first claims, and the numbers of the others. No request could do this, because the service
 * refuses such payloads. Another partner may accept them.
 * @returns the keys of the first claims
 */
function storeOdd(): string[] {
  const store = new Database(folder.at('service', 'service.db'));
  const rows = z
    .array(z.object({ number: z.int(), external_key: z.string() }))
    .parse(
      store
        .prepare(
          "SELECT number, external_key FROM claims WHERE status != 'Created' ORDER BY number",
        )
        .all(),
    );
  const write = store.prepare(
    'UPDATE claim_payloads SET payload_literal = ? WHERE claim_number = ?',
  );
  const keys = odd.map(({ payloadJson }, index) => {
    const claim = rows[index];
    if (!claim) throw new Error('there are too few claims');
    write.run(Buffer.from(JSON.stringify(payloadJson)), claim.number);
    return claim.external_key;
  });
  // No request could do this either: the service gives its claims short numbers.
  store
    .prepare('UPDATE claims SET external_key = external_key || ? WHERE number > ?')
    .run('K'.repeat(300), rows[odd.length - 1]?.number ?? 0);
  store.close();
  return keys;
}

test('payloads that do not match their category are shown as they came', async ({ openDesk }) => {
  const args = ['--demo', '30', '--limits', 'x1000'];
  let service = await folder.start(...args);
  expect(await service.stop()).toBe(0);
  const keys = storeOdd();
  service = await folder.start(...args);
  const { page, errors } = await folder.open(openDesk, { lang: 'de', service });
  for (const [index, { shown }] of odd.entries()) {
    const key = keys[index] ?? '';
    await openCase(page, key);
    await expect(page.locator('header').getByText(key, { exact: true }).first()).toBeVisible();
    const details = page.getByRole('region', { name: 'Angaben des Versicherers' });
    await expect(details).toBeVisible();
    for (const text of shown) await expect(details).toContainText(text);
    expect(await overflowsSideways(page), `payload ${index}`).toBe(false);
    expect(await accessibilityFaults(page), `payload ${index}`).toEqual([]);
  }

  await openCase(page, keys[longName] ?? '');
  await page.getByRole('textbox', { name: 'Kommentar' }).fill('Ein Kommentar');
  await page.getByRole('button', { name: 'Kommentar speichern' }).click();
  await page.goto(addressOf(page, 'queue'));
  await expect(page.getByRole('link', { name: /^N{500}/ })).toBeVisible();
  expect(await overflowsSideways(page)).toBe(false);
  await page.goto(addressOf(page, 'today'));
  const column = page
    .locator('.who')
    .filter({ hasText: /K{300}/ })
    .first();
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 700 });
    await expect(column).toBeVisible();
    const [place, shown] = [await column.boundingBox(), await column.locator('.key').boundingBox()];
    expect(shown?.width).toBeLessThanOrEqual(place?.width ?? 0);
    expect(await overflowsSideways(page)).toBe(false);
  }
  expect(errors()).toEqual([]);
});
