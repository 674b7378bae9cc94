import { execFileSync } from 'node:child_process';
import { createServer } from 'node:https';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { type ElectronApplication, expect } from '@playwright/test';
import type { AppUpdater } from 'electron-updater';
import { type OfficeNetwork, startOfficeNetwork } from '../support/office-network.ts';
import { createAuthority, type PrivateAuthority } from '../support/private-authority.ts';
import { runDesk, type RunningService } from '../support/processes.ts';
import { connectExpert, deskFolder, test } from './desk-window.ts';
import { addressOf } from './page.ts';

// The desk runs in an office whose certificates come from its own authority, and whose proxy is the
// only way to the partner.

const folder = deskFolder();
const host = 'partner.example';
const signIn = { user: 'anna', password: 'of a test' };
let authority: PrivateAuthority;
let service: RunningService;
/** Two proxies lead to the same partner. The second one demands a name and a password. */
let office: OfficeNetwork;
let strict: OfficeNetwork;

/** Writes a policy of the office in German and returns the path of its file. */
function writePolicy(name: string, policy: object): string {
  const file = folder.at(`${name}.json`);
  writeFileSync(file, JSON.stringify({ language: 'de', ...policy }));
  return file;
}

test.beforeAll(async () => {
  authority = createAuthority(folder.path);
  const port = () => service.port;
  office = await startOfficeNetwork({ authority, host, port });
  strict = await startOfficeNetwork({ authority, host, port, signIn });
  service = await folder.start('--demo', '5', '--public-url', `https://${host}`);
  // The command line trusts the authorities that the policy names.
  process.env['DESK_POLICY'] = writePolicy('command-line', {
    proxy: { url: office.proxyUrl },
    certificateFiles: [authority.file],
  });
  await connectExpert(folder.at('home'), service);
  delete process.env['DESK_POLICY'];
});
test.afterAll(async () => {
  for (const each of [office, strict]) await each.stop();
});

/** Creates a user's home, with or without the office's authority in its certificate store. */
function userHome({ trusting }: { trusting: boolean }): string {
  const home = folder.at(trusting ? 'trusting' : 'untrusting');
  const store = join(home, '.pki/nssdb');
  if (existsSync(store)) return home;
  mkdirSync(store, { recursive: true });
  if (!trusting) return home;
  const certutil = (...args: string[]) => execFileSync('certutil', ['-d', `sql:${store}`, ...args]);
  certutil('-N', '--empty-password');
  certutil('-A', '-t', 'C,,', '-n', 'office', '-i', authority.file);
  return home;
}

const hasCertutil = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((each) => existsSync(join(each, 'certutil')));

test('a certificate of an authority that this system does not know is refused by its name', async ({
  openDesk,
}) => {
  const DESK_POLICY = writePolicy('proxy', { proxy: { url: office.proxyUrl } });
  const HOME = userHome({ trusting: false });
  const desk = await openDesk({ home: folder.at('home'), env: { DESK_POLICY, HOME } });
  await desk.page.getByRole('button', { name: 'Jetzt synchronisieren' }).click();
  await desk.page.getByText('Weshalb?').click();
  await expect(
    desk.page.getByText(/Zertifikat von partner\.example ist nicht vertrauenswürdig/).first(),
  ).toBeVisible();
  await desk.stop();
});

test('an authority in the system’s store is trusted, through the policy’s proxy alone', async ({
  openDesk,
}) => {
  test.skip(!hasCertutil, 'there is no certutil, which fills the store');
  const DESK_POLICY = writePolicy('proxy', { proxy: { url: office.proxyUrl } });
  const HOME = userHome({ trusting: true });
  const desk = await openDesk({ home: folder.at('home'), env: { DESK_POLICY, HOME } });
  await desk.page.getByRole('button', { name: 'Jetzt synchronisieren' }).click();
  await expect(desk.page.getByText('5 Fälle auf diesem Gerät')).toBeAttached();
  await expect(desk.page.getByText('Online', { exact: true })).toBeVisible();
  expect(new Set(office.asked)).toEqual(new Set([`${host}:443`]));
  await desk.stop();
});

test('a proxy that demands a name and a password is named as what it is', async ({ openDesk }) => {
  const DESK_POLICY = writePolicy('strict', { proxy: { url: strict.proxyUrl } });
  const HOME = userHome({ trusting: false });
  const desk = await openDesk({ home: folder.at('home'), env: { DESK_POLICY, HOME } });
  await desk.page.getByRole('button', { name: 'Jetzt synchronisieren' }).click();
  await expect(desk.page.getByText('Offline', { exact: true })).toBeVisible();
  await desk.page.getByText('Weshalb?').click();
  await expect(
    desk.page.getByText(/Der Proxy .* verlangt Name und Passwort/).first(),
  ).toBeVisible();
  expect(new Set(strict.asked)).toEqual(new Set([`refused ${host}:443`]));
  await desk.stop();
});

test('whatever the desk does, it asks for the partner and the update feed alone', async ({
  openDesk,
}) => {
  const home = folder.at('watched');
  const network = await startOfficeNetwork({ authority, host, port: () => service.port });
  process.env['DESK_POLICY'] = writePolicy('watched', {
    proxy: { url: network.proxyUrl },
    certificateFiles: [authority.file],
  });
  await connectExpert(home, service);
  await runDesk(home, 'sync');
  delete process.env['DESK_POLICY'];
  // The system's proxy is every session's, so that no session goes past it.
  const env = {
    DESK_POLICY: writePolicy('plain', {}),
    HOME: userHome({ trusting: false }),
    http_proxy: network.proxyUrl,
    https_proxy: network.proxyUrl,
  };
  const desk = await openDesk({ home, env });
  const { page, app } = desk;
  await page.getByRole('button', { name: 'Jetzt synchronisieren' }).click();
  await page.goto(addressOf(page, 'cases'));
  await page.getByRole('option').first().click();
  // Chromium would fetch a dictionary for these words.
  await page
    .getByRole('textbox', { name: 'Private Notiz' })
    .pressSequentially('Die Stossstange iss krum');
  const addresses = ['today', 'queue', 'insights', 'close', 'help'].concat(
    ['connection', 'appearance', 'storage', 'backup', 'about', 'policy'].map(
      (section) => `settings/${section}`,
    ),
  );
  for (const address of addresses) {
    await page.goto(addressOf(page, address));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect((await desk.printed()).subarray(0, 4).toString()).toBe('%PDF');
  await (await desk.openAnother()).close();
  expect(await lookForUpdate(app, 'https://updates.example/')).toContain('ERR_TUNNEL');
  await expect
    .poll(() => new Set(network.asked))
    .toEqual(new Set([`${host}:443`, 'updates.example:443']));
  await desk.stop();
  expect(new Set(network.asked)).toEqual(new Set([`${host}:443`, 'updates.example:443']));
  await network.stop();
});

test('an authority that the policy names is trusted without the system’s store', async ({
  openDesk,
}) => {
  // This test uses no proxy. A policy's authorities use Node's network stack, which supports
  // proxies only from Node 24 on, and an older runtime may run this test.
  const baseUrl = `https://127.0.0.1:${String(office.partnerPort)}`;
  await service.stop();
  service = await folder.start('--public-url', baseUrl);
  const policy = writePolicy('authority', { certificateFiles: [authority.file] });
  process.env['DESK_POLICY'] = policy;
  await connectExpert(folder.at('direct'), service);
  delete process.env['DESK_POLICY'];
  const HOME = userHome({ trusting: false });
  const desk = await openDesk({ home: folder.at('direct'), env: { DESK_POLICY: policy, HOME } });
  await expect(desk.page.getByText('5 Fälle auf diesem Gerät')).toBeAttached();
  await expect(desk.page.getByText('Online', { exact: true })).toBeVisible();
  await desk.stop();
});

/** Has the library of the desk look for an update, which the desk does in a package only. */
const lookForUpdate = (app: ElectronApplication | null, url: string): Promise<string> | undefined =>
  app?.evaluate(async ({ app: self }, feed) => {
    const { createRequire } = process.getBuiltinModule('node:module');
    const load = createRequire(`${self.getAppPath()}/package.json`);
    const { autoUpdater } = load('electron-updater') as { autoUpdater: AppUpdater };
    autoUpdater.forceDevUpdateConfig = true;
    autoUpdater.autoDownload = false;
    autoUpdater.logger = null;
    autoUpdater.setFeedURL({ provider: 'generic', url: feed });
    return await autoUpdater.checkForUpdates().then(
      (result) => result?.updateInfo.version ?? 'nothing',
      (error: unknown) => String(error),
    );
  }, url);

/** Starts an update feed, whose certificate comes from the office's authority. */
async function startFeed() {
  const seen: string[] = [];
  const feed = createServer(authority.sign('localhost'), (asked, answer) => {
    seen.push(asked.url ?? '');
    answer.end(`version: 99.0.0\nfiles: []\npath: none\nsha512: none\n`);
  });
  feed.listen(0, '127.0.0.1');
  await once(feed, 'listening');
  return {
    url: `https://127.0.0.1:${String((feed.address() as AddressInfo).port)}/`,
    seen,
    stop() {
      feed.closeAllConnections();
      feed.close();
    },
  };
}

test('the update feed is trusted by the policy’s authority, and by it only', async ({
  openDesk,
}) => {
  const feed = await startFeed();
  /** What the library finds in the session that it makes, in a desk with this policy. */
  const found = async (policy: object): Promise<string> => {
    const DESK_POLICY = writePolicy('feed', policy);
    const HOME = userHome({ trusting: false });
    const desk = await openDesk({ home: folder.at('feed'), env: { DESK_POLICY, HOME } });
    const answer = await lookForUpdate(desk.app, feed.url);
    await desk.stop();
    return String(answer);
  };
  try {
    expect(await found({})).toContain('ERR_CERT_AUTHORITY_INVALID');
    expect(feed.seen).toEqual([]);
    expect(await found({ certificateFiles: [authority.file] })).toBe('99.0.0');
    expect(feed.seen).toHaveLength(1);
  } finally {
    feed.stop();
  }
});
