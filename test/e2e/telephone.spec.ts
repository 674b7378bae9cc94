import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, devices, expect, type Locator, type Page } from '@playwright/test';
import { openCodeReader } from '#renderer/lib/scans/code-reader.ts';
import { smokeOrLong } from '../support/long.ts';
import { openPrivateNetwork, type PrivateNetwork } from '../support/private-network.ts';
import { makeCameraPhoto } from '../support/sample-files.ts';
import { deskFolder, type DeskWindow, type OpenDesk, test } from './desk-window.ts';
import {
  accessibilityFaults,
  addressOf,
  chooseFromMenu,
  newReport,
  openInWork,
  takePicture,
} from './page.ts';
import { namesOf, pixelsOf, showPhotosAsRows } from './report-photos.ts';

// A telephone with a real browser photographs for a report. Its page comes from an address of a
// private network, so it is no secure context: no Web Crypto and no service worker, as in use.

const folder = deskFolder();
let network: PrivateNetwork | null = null;
let phones: Browser;

/** What happens while photographs are taken. */
const troubles = smokeOrLong<readonly ('out of reach' | 'killed')[]>(
  ['out of reach', 'killed'],
  ['out of reach', 'killed', 'out of reach', 'killed', 'out of reach'],
);
/** The photographs that are taken at once: before the troubles, in each, and twice in a kill. */
const portion = smokeOrLong(2, 5);
const total = smokeOrLong(8, 40);
/** Pictures of 12 megapixels in the long run. */
const size = smokeOrLong({ width: 800, height: 600 }, { width: 4000, height: 3000 });
const nameOf = (n: number) => `IMG_${String(n).padStart(4, '0')}.jpg`;
const photo = (n: number) => ({
  name: nameOf(n),
  mimeType: 'image/jpeg',
  buffer: makeCameraPhoto({
    ...size,
    orientation: 1,
    takenAt: `2026:05:01 10:${String(n).padStart(2, '0')}:00`,
    // The time makes photos differ, so few have to be drawn.
    seed: n % 4,
  }),
});
const expected = Array.from({ length: total }, (_, n) => nameOf(n));

test.beforeAll(async ({ playwright, launchOptions }) => {
  network = openPrivateNetwork();
  test.skip(network === null, 'this machine has no private address, and gets none');
  mkdirSync(folder.at('tools'), { recursive: true });
  writeFileSync(
    folder.at('policy.json'),
    JSON.stringify({ telephone: { networks: [`${network?.address ?? ''}/32`] } }),
  );
  phones = await playwright.chromium.launch({ ...launchOptions, ...inNetwork(launchOptions) });
});
test.afterAll(async () => {
  if (network === null) return;
  await phones.close();
  network.close();
});

/** Starts the telephone's browser as another device of the network. */
function inNetwork({ executablePath }: { executablePath?: string }) {
  if (!network || network.elsewhere.length === 0 || executablePath === undefined) return {};
  const script = join(folder.at('tools'), 'telephone-browser');
  writeFileSync(script, `#!/bin/sh\nexec ${network.elsewhere.join(' ')} ${executablePath} "$@"\n`);
  chmodSync(script, 0o755);
  return { executablePath: script };
}

const open = (openDesk: OpenDesk) =>
  folder.open(openDesk, { lang: 'de', env: { DESK_POLICY: folder.at('policy.json') } });
/** The desk of all tests but the first one, which kills its own and leaves the next one here. */
let shared: DeskWindow | null = null;
const openShared = async (openDesk: OpenDesk) => (shared ??= await open(openDesk));
/** Ends the telephone's session from the open dialog. */
async function endSession(desk: DeskWindow): Promise<void> {
  await dialog(desk).getByRole('button', { name: 'Beenden' }).click();
  await expect(dialog(desk)).toBeHidden();
}

/** Opens the page of a code like a telephone's camera does. */
async function scan(code: string, page?: Page): Promise<Page> {
  if (page) {
    await page.goto(code);
    return page;
  }
  const context = await phones.newContext({
    ...devices['Pixel 7'],
    locale: 'de-CH',
    timezoneId: 'Europe/Zurich',
  });
  const opened = await context.newPage();
  await opened.goto(code);
  return opened;
}

/** What the QR code on the screen contains. */
const codeOf = async ({ page }: DeskWindow): Promise<string> => {
  await expect(page.getByRole('img', { name: 'QR-Code für das Telefon' })).toBeVisible();
  const code: unknown = await page.evaluate(
    `document.querySelector('#app').__vue_app__.config.globalProperties.$pinia._s.get('telephone').state.session.code`,
  );
  return String(code);
};
/** What another reader than the desk's maker reads in a picture of the code. */
async function readCodes(code: Locator): Promise<string[]> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const reader = await openCodeReader(new Uint8Array(readFileSync(wasm)));
  const { width, height, data } = pixelsOf(await code.screenshot({ type: 'jpeg', quality: 90 }));
  const picture = { width, height, data: new Uint8ClampedArray(data) };
  return (await reader.read(picture, ['QRCode'])).map(({ text }) => text);
}
const showCode = ({ page }: DeskWindow) =>
  page.getByRole('button', { name: 'Mit dem Telefon fotografieren' }).click();
const dialog = ({ page }: DeskWindow) =>
  page.getByRole('dialog', { name: 'Mit dem Telefon fotografieren' });

const take = (phone: Page, from: number, to: number) =>
  phone
    .getByLabel('Foto aufnehmen')
    .setInputFiles(Array.from({ length: to - from }, (_, at) => photo(from + at)));
const arrived = (phone: Page, n: number) =>
  expect(phone.getByText(new RegExp(`^Angekommen: ${n}(?: |$)`))).toBeVisible();

test('photographs with a telephone, out of reach and with a killed desk: each is there once, in order', async ({
  openDesk,
}) => {
  let desk = await open(openDesk);
  await newReport(desk.page, 0);
  const report = new URL(desk.page.url()).hash.slice(2);
  await showCode(desk);
  const phone = await scan(await codeOf(desk));
  await expect(phone.getByText(/^Fall /)).toBeVisible();
  expect(new URL(phone.url()).hash, 'the key stays in the address').toBe('');
  expect(await phone.evaluate('isSecureContext')).toBe(false);
  await expect(dialog(desk)).toContainText('Ein Telefon ist verbunden.');

  // The first ones while all is well, with a group and a caption.
  await phone.getByRole('button', { name: 'Schaden' }).tap();
  let taken = 0;
  const takeMore = async () => {
    await take(phone, taken, taken + portion);
    taken += portion;
  };
  await takeMore();
  await arrived(phone, taken);
  await expect(dialog(desk)).toContainText(`Angekommen: ${taken}`);
  await phone
    .getByRole('button', { name: /Schaden.*angekommen/ })
    .first()
    .tap();
  // The page is loaded again below while the field still has the focus.
  await phone.getByLabel('Legende').fill('Beule vorne');

  for (const trouble of troubles) {
    if (trouble === 'out of reach') {
      await phone.context().setOffline(true);
      await takeMore();
      await expect(phone.getByText(`Noch nicht angekommen: ${portion}`)).toBeVisible();
      await expect(phone.getByText('Appraiser Desk ist nicht erreichbar.')).toBeVisible();
      await phone.context().setOffline(false);
      // Its page is also loaded again.
      await phone.reload();
    } else {
      // The desk is killed while photographs come. A new code goes on where it stopped.
      await takeMore();
      await desk.kill();
      await takeMore();
      await expect(phone.getByText('Appraiser Desk ist nicht erreichbar.')).toBeVisible();
      desk = await open(openDesk);
      await desk.page.goto(addressOf(desk.page, report));
      await showCode(desk);
      await scan(await codeOf(desk), phone);
    }
    await arrived(phone, taken);
  }
  await expect(phone.getByText('Alle Fotos sind angekommen.')).toBeVisible();
  await phone.getByRole('button', { name: 'Fertig' }).tap();
  await expect(dialog(desk)).toContainText('Auf dem Telefon abgeschlossen');

  await endSession(desk);
  await expect(phone.getByText('Fertig. Sie können diese Seite schliessen.')).toBeVisible();
  await showPhotosAsRows(desk.page);
  await expect.poll(() => namesOf(desk.page)).toEqual(expected);
  await expect(desk.page.getByText('vom Telefon')).toHaveCount(total);
  await desk.page.getByRole('link', { name: 'Fotos bearbeiten' }).click();
  await expect(desk.page.getByText('Beule vorne').first()).toBeVisible();
  await phone.context().close();
  shared = desk;
});

test('a second telephone and an ended code are refused with a sentence, and see nothing', async ({
  openDesk,
}) => {
  const desk = await openShared(openDesk);
  await newReport(desk.page, 1);
  await showCode(desk);
  const code = await codeOf(desk);
  const phone = await scan(code);
  await expect(phone.getByText(/^Fall /)).toBeVisible();
  const second = await scan(code);
  await expect(second.getByText('schon ein anderes Telefon verbunden')).toBeVisible();
  await expect(second.getByText(/^Fall /)).toBeHidden();
  await expect(dialog(desk)).toContainText('wurde abgewiesen (1)');
  await take(phone, 0, 1);
  await arrived(phone, 1);
  // The dialog goes, the telephone stays, and every page says so.
  await dialog(desk).getByRole('button', { name: 'Verbunden lassen' }).click();
  await expect(desk.page.getByText('Telefon als Kamera: 1 angekommen')).toBeVisible();
  await showCode(desk);
  await dialog(desk).getByRole('button', { name: 'Beenden' }).click();
  await expect(desk.page.getByText('Telefon als Kamera')).toBeHidden();
  await expect(phone.getByText('Appraiser Desk ist nicht erreichbar.')).toBeVisible();
  await second.context().close();
  await phone.context().close();
});

test('photos that wait for one report are sent to another one only if the user adds them', async ({
  openDesk,
}) => {
  const desk = await openShared(openDesk);
  await newReport(desk.page, 1);
  await showCode(desk);
  const phone = await scan(await codeOf(desk));
  await expect(phone.getByText(/^Fall /)).toBeVisible();
  await phone.context().setOffline(true);
  await take(phone, 0, 2);
  await expect(phone.getByText('Noch nicht angekommen: 2')).toBeVisible();
  await endSession(desk);
  await phone.context().setOffline(false);

  await newReport(desk.page, 2);
  await showCode(desk);
  await scan(await codeOf(desk), phone);
  await expect(phone.getByText(/^Fall /)).toBeVisible();
  await expect(phone.getByText('Fotos von vorher, die auf diesem Telefon warten: 2')).toBeVisible();
  await expect(phone.getByRole('listitem')).toHaveCount(0);
  await take(phone, 2, 3);
  await arrived(phone, 1);
  await expect(dialog(desk)).not.toContainText('Noch auf dem Telefon');
  await phone.getByRole('button', { name: 'Zu diesem Bericht hinzufügen' }).tap();
  await arrived(phone, 3);
  await expect(phone.getByText('Fotos von vorher')).toBeHidden();
  await phone.getByRole('button', { name: 'Fertig' }).tap();
  await expect(phone.getByText('Fertig. Sie können diese Seite schliessen.')).toBeVisible();
  await endSession(desk);
  await expect.poll(() => namesOf(desk.page)).toEqual([0, 1, 2].map(nameOf));

  // Another code starts another session: nothing is done in it, and a file that is no picture is
  // not counted as arrived.
  await showCode(desk);
  await scan(await codeOf(desk), phone);
  await expect(phone.getByText(/^Fall /)).toBeVisible();
  const text = { name: 'IMG_9999.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') };
  await phone.getByLabel('Foto aufnehmen').setInputFiles([text]);
  await expect(
    phone.getByText('Angekommen: 3 · Nicht angenommen: 1', { exact: true }),
  ).toBeVisible();
  await phone.getByRole('button', { name: 'Fertig' }).tap();
  await expect(dialog(desk)).toContainText('Noch auf dem Telefon: 1');
  await expect(phone.getByText('Alle Fotos sind angekommen.')).toBeHidden();
  await endSession(desk);
  await phone.context().close();
});

test('a case leads to the code of its report', async ({ openDesk }) => {
  const desk = await openShared(openDesk);
  await openInWork(desk.page, 1);
  await chooseFromMenu(
    desk.page.locator('header').getByRole('button', { name: /^Mehr zu / }),
    'Mit dem Telefon fotografieren',
  );
  await expect(desk.page.getByRole('heading', { name: 'Bericht zusammenstellen' })).toBeVisible();
  expect(await readCodes(dialog(desk).getByRole('img'))).toEqual([await codeOf(desk)]);
  expect(desk.page.url()).not.toContain('telephone');
  await endSession(desk);
});

test('a browser that stores nothing says so', async ({ openDesk }) => {
  const desk = await openShared(openDesk);
  await newReport(desk.page, 1);
  await showCode(desk);
  const context = await phones.newContext({ ...devices['Pixel 7'], locale: 'de-CH' });
  await context.addInitScript(
    'IDBFactory.prototype.open = () => { throw new Error("no storage"); }',
  );
  const phone = await context.newPage();
  await phone.goto(await codeOf(desk));
  await expect(phone.getByText('Dieser Browser bewahrt keine Fotos auf.')).toBeVisible();
  await endSession(desk);
  await context.close();
});

test('the dialog and the page are readable, light and dark', async ({ openDesk }) => {
  const desk = await openShared(openDesk);
  await newReport(desk.page, 2);
  await showCode(desk);
  const code = await codeOf(desk);
  await takePicture(desk.page, 'telephone-dialog');
  expect(await accessibilityFaults(desk.page)).toEqual([]);
  expect(await readCodes(dialog(desk).getByRole('img'))).toEqual([code]);
  await desk.page.emulateMedia({ colorScheme: 'dark' });
  await takePicture(desk.page, 'telephone-dialog-dark');
  const phone = await scan(code);
  await expect(phone.getByText(/^Fall /)).toBeVisible();
  await take(phone, 0, 2);
  await arrived(phone, 2);
  await takePicture(phone, 'telephone-page');
  await phone
    .getByRole('button', { name: /angekommen/ })
    .first()
    .tap();
  expect(await accessibilityFaults(phone)).toEqual([]);
  await phone.emulateMedia({ colorScheme: 'dark' });
  await takePicture(phone, 'telephone-page-dark');
  expect(await accessibilityFaults(phone)).toEqual([]);
  expect(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  await phone.context().close();
});
