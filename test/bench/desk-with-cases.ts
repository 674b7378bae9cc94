/**
 * The desk in the browser shell over a home of many cases and no partner: started by window.ts with
 * a folder, a number and the entries of its outbox; sends its address as a message and ends when the line to it is cut.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowserShell } from '#main/browser/browser-shell.ts';
import { openCache } from '#main/engine/cache/open-cache.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { root } from '../support/processes.ts';
import { fillCases } from './sample-claims.ts';
import { faultLog } from '../support/fault-log.ts';

const [home = '', count = '100000', entries = '0'] = process.argv.slice(2);

const secrets = new Map<string, string>();
const vault: Vault = {
  kind: 'passphrase',
  get: (name) => Promise.resolve(secrets.get(name) ?? null),
  set: (name, secret) => Promise.resolve(void secrets.set(name, secret)),
  delete: (name) => Promise.resolve(void secrets.delete(name)),
};
const open = () =>
  openEngine({ home, vault, policy: {}, clock: systemClock, random: systemRandom, log: faultLog });

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const first = await open();
await first.workspaces.connect({
  name: 'Bench',
  // Nobody listens there: what is measured is the window and this laptop.
  baseUrl: 'http://127.0.0.1:9',
  audience: 'http://127.0.0.1:9/v1/oauth/token',
  clientId: 'bench',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
await first.desk.setLanguage({ language: 'en' });
await first.close();
const file = readdirSync(home, { recursive: true, encoding: 'utf8' }).find((path) =>
  path.endsWith('cache.db'),
);
const key = [...secrets].find(([name]) => name.endsWith('/database-key'))?.[1];
if (file === undefined || key === undefined) throw new Error('no workspace was made');
const cache = openCache(join(home, file), key);
fillCases(cache, Number(count));
cache.close();

const engine = await open();
// What waits in the outbox, and a batch: as many as a busy office has.
const busy = await engine.cases.list({ status: 'InProgress', limit: Number(entries) });
for (const { id } of busy.items) await engine.cases.setComment({ id, text: 'seen on site' });
if (busy.items.length > 0) {
  const paths = busy.items.slice(0, 500).map(({ externalKey }) => `${externalKey} report.txt`);
  await engine.batch.announce({ files: paths.map((path) => ({ path, sizeBytes: 20 })) });
}
const shell = await startBrowserShell({
  engine,
  pagesDir: join(root, 'dist/renderer'),
  port: 0,
  log: { error: () => undefined },
});
process.once('disconnect', () => {
  void shell.close().then(() => engine.close());
});
process.on('message', () => process.send?.(shell.invite()));
process.send?.(shell.invite());
