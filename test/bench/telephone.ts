import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type CDPSession, chromium, devices, type Page } from '@playwright/test';
import { z } from 'zod';
import { openPrivateNetwork } from '../support/private-network.ts';
import { startDesk, temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { makeGrainyPhoto, megapixels12 } from './grainy-photo.ts';
import {
  benchKeys,
  buildWindow,
  chromiumOptions,
  openReport,
  peakMegabytes,
  view,
} from './in-chromium.ts';

/**
 * What the photographs of a telephone are measured against (docs/benchmarks.md): the same bytes,
 * which the same browser sends over the same line to a server that drops them.
 */
const photographs = 40;
/** A hotspot outside, and a good wireless network in an office: Mbit/s. */
const lines = [10, 50];
const latencyMs = 5;

/** Sends photographs to a server that only reads them; resolves with the seconds that it takes. */
async function benchLine(phone: Page, address: string, photo: Buffer): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('<!doctype html><title>line</title>'));
  }).listen(0, address);
  await once(server, 'listening');
  // The cast restates what listening on a port gives (node:net, "server.address()").
  const { port } = server.address() as AddressInfo;
  await phone.goto(`http://${address}:${port}/`);
  const seconds = await phone.evaluate(`(async () => {
    const photo = new Uint8Array(${photo.length});
    const startedAt = performance.now();
    for (let n = 0; n < ${photographs}; n += 1) await fetch('/', { method: 'POST', body: photo });
    return (performance.now() - startedAt) / 1000;
  })()`);
  server.closeAllConnections();
  server.close();
  return z.number().parse(seconds);
}

/** Slows the telephone's line down. Of several sessions, the slowest counts. */
async function slow(session: CDPSession, megabits: number): Promise<void> {
  const bytesPerSecond = (megabits * 1e6) / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

const network = openPrivateNetwork();
if (!network) throw new Error('this machine has no private address, and gets none');
const { address } = network;
const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const policy = { telephone: { networks: [`${address}/32`] } };
writeFileSync(at('policy.json'), JSON.stringify(policy));
if (!('executablePath' in chromiumOptions)) throw new Error('this machine has no Chromium');
/** Starts the telephone's browser as another device of the network. */
const telephone = at('telephone-browser');
writeFileSync(
  telephone,
  `#!/bin/sh\nexec ${network.elsewhere.join(' ')} ${chromiumOptions.executablePath} "$@"\n`,
);
chmodSync(telephone, 0o755);

const photo = makeGrainyPhoto({ ...megapixels12, grain: 64, quality: 40 });
let made = 0;
/** Each has other content, because equal ones are reported. */
const makeFiles = () =>
  Array.from({ length: photographs }, () => {
    const path = at(`IMG_${(made += 1)}.jpg`);
    writeFileSync(path, Buffer.concat([photo, Buffer.from(String(made))]));
    return path;
  });

/** Sends photographs over a line while the user types in the desk. */
async function benchArrival(phone: Page, page: Page, megabits: number): Promise<void> {
  const bare = await benchLine(phone, address, photo);
  await phone.goto(code);
  await phone.getByText(/^Case /).waitFor();
  const files = makeFiles();
  const startedAt = performance.now();
  let seconds = 0;
  const peak = await peakMegabytes(
    browser,
    async () => {
      const arriving = phone
        .getByLabel('Take a photo')
        .setInputFiles(files)
        .then(() => phone.getByText(new RegExp(`^Arrived: ${made}(?: |$)`)).waitFor())
        .then(() => (seconds = (performance.now() - startedAt) / 1000));
      await benchKeys(page, page.getByRole('textbox', { name: /comment/i }).first(), () =>
        Promise.resolve(seconds > 0),
      );
      await arriving;
    },
    1000,
  );
  const size = Math.round(photo.length / 1e5) / 10;
  const both = `line ${bare.toFixed(1)} s, desk ${seconds.toFixed(1)} s`;
  printFigure({
    what: `${photographs} photographs of ${size} MB from a telephone at ${megabits} Mbit/s (${both})`,
    figure: seconds / bare,
    unit: 'times the line alone',
    limit: 1.3,
  });
  printFigure({
    what: "greatest private memory of the window's page meanwhile",
    figure: peak,
    unit: 'MB',
    limit: 400,
  });
}

buildWindow();
const desk = await startDesk({
  home: at('home'),
  args: ['--lang', 'en'],
  env: { DESK_POLICY: at('policy.json') },
});
const browser = await chromium.launch(chromiumOptions);
let code = '';
const phones = await chromium.launch({ ...chromiumOptions, executablePath: telephone });
try {
  const page = await (await browser.newContext(view)).newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(desk.url);
  await openReport(page);
  const phone = await (await phones.newContext(devices['Pixel 7'])).newPage();
  phone.setDefaultTimeout(600_000);
  await page.getByRole('button', { name: 'Take photos with the telephone' }).click();
  await page.getByRole('img', { name: 'QR code for the telephone' }).waitFor();
  code = String(
    await page.evaluate(
      `document.querySelector('#app').__vue_app__.config.globalProperties.$pinia._s.get('telephone').state.session.code`,
    ),
  );
  await page.getByRole('button', { name: 'Leave connected' }).click();
  const session = await phone.context().newCDPSession(phone);
  for (const megabits of lines) {
    await slow(session, megabits);
    await benchArrival(phone, page, megabits);
  }
} finally {
  await phones.close();
  await browser.close();
  await desk.stop();
  network.close();
  folder.remove();
}
