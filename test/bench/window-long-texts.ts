import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { routes } from '#shared/api/routes.ts';
import {
  runDesk,
  startDesk,
  temporaryFolder,
  writePolicyWithoutLimits,
} from '../support/processes.ts';
import { startHostileServer } from '../support/partner/hostile-server.ts';
import { printFigure, quantile } from './figures.ts';
import { buildWindow, chromiumOptions, timesOfSearch, view } from './in-chromium.ts';

/**
 * What the window is measured against (docs/benchmarks.md) while the desk reads a partner whose
 * texts are a megabyte each, and every case of which changes at every reading.
 */
const fineCases = 300;
const turns = 4;
/** Each beginning of them finds cases. */
const words = ['muster', 'k-17', 'muster', 'k-299', 'muster', 'zh 1', 'muster', 'k-long'];
const megabyte = (piece: string) => piece.repeat(Math.ceil(1_000_000 / Buffer.byteLength(piece)));
const pieces = ['ab-\n', '\u0301\u0323', 'a', '字 ', 'ﬃ', '🚗', '( '];

const timeOfChange = '0000-00-00T00:00:00.000Z';
const caseOf = (id: string, payload: object, more: object = {}) => {
  const record = {
    Id: id,
    ExternalKey: `K-${id}`,
    Category: 'vehicle',
    Status: 'Accepted',
    CreatedAt: '2026-01-01T00:00:00Z',
    LastChangedAt: timeOfChange,
    PayloadJson: JSON.stringify(payload),
    ...more,
  };
  // The time of the change goes between the two parts.
  return JSON.stringify(record)
    .split(timeOfChange)
    .map((part) => Buffer.from(part));
};

const records = [
  ...pieces.map((piece, index) =>
    caseOf(`long-${index}`, {
      insured: { name: megabyte(piece), licensePlate: 'ZH 1' },
      remarks: `Muster ${megabyte(piece)}`,
      [megabyte('m')]: { a: 1, b: 2, c: 3 },
    }),
  ),
  ...pieces.slice(1).map((piece, index) => {
    const text = megabyte(piece);
    const texts = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`text${n}`, text]));
    const more = { ExternalKey: text, ExpertComment: text, Category: text, Status: text };
    return caseOf(`all-${index}`, texts, more);
  }),
  caseOf('dense', {}, { PayloadJson: `[${'[],'.repeat(900_000)}1]` }),
  caseOf('keys', Object.fromEntries(Array.from({ length: 150_000 }, (_, n) => [`k${n}`, n]))),
  ...Array.from({ length: fineCases }, (_, n) => caseOf(`${n}`, { insured: { name: 'Muster' } })),
];

let listsRead = 0;
const server = await startHostileServer();
server.always = (response, request) => {
  const url = new URL(request.url, server.baseUrl);
  const of = (name: string) => Number(url.searchParams.get(name) ?? 1);
  const isList = url.pathname === routes.X1.path;
  const page = isList ? of('page') : 1;
  if (isList && page === 1) listsRead += 1;
  const from = (page - 1) * of('size');
  const items = isList ? records.slice(from, from + of('size')) : [];
  const changedAt = new Date().toISOString();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`{"Total":${isList ? records.length : 0},"Items":[`);
  for (const [n, [before = '', after = '']] of items.entries()) {
    if (n > 0) response.write(',');
    response.write(before);
    response.write(changedAt);
    response.write(after);
  }
  response.end(']}');
};

async function syncNow(page: Page): Promise<void> {
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('s');
}

buildWindow();
const folder = temporaryFolder();
const credentials = join(folder.path, 'credentials.json');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKeyPem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
const { baseUrl } = server;
const expert = { clientId: 'bench', privateKeyPem };
writeFileSync(credentials, JSON.stringify({ baseUrl, audience: baseUrl, expert }));
const home = join(folder.path, 'home');
const vault = ['--vault', 'passphrase'];
process.env['DESK_VAULT_PASSPHRASE'] = 'bench';
const connected = await runDesk(
  home,
  ...vault,
  'connect',
  '--credentials',
  credentials,
  '--as',
  'expert',
);
if (connected.code !== 0) throw new Error(connected.stderr);
const policy = writePolicyWithoutLimits(folder.path);
const desk = await startDesk({
  home,
  args: ['--lang', 'en', ...vault],
  env: { DESK_POLICY: policy },
});
const browser = await chromium.launch(chromiumOptions);
try {
  const page = await (await browser.newContext(view)).newPage();
  await page.goto(desk.url);
  await page.getByRole('navigation').first().waitFor();
  await page.goto(new URL('/#/cases', desk.url).href);
  await page.getByRole('option').first().waitFor();
  const before = listsRead;
  const found: number[] = [];
  for (let turn = 0; turn < turns; turn += 1)
    found.push(...(await timesOfSearch(page, words, () => syncNow(page))));
  const [lists, longest] = [listsRead - before, Math.round(quantile(found, 1))];
  printFigure({
    what: `keys answered later than 100 ms while ${lists} lists of megabytes are read (of ${found.length}; longest ${longest} ms)`,
    figure: found.filter((ms) => ms > 100).length,
    unit: 'keys',
    limit: 0,
  });
  printFigure({
    what: 'key to painted result meanwhile, p95',
    figure: quantile(found, 0.95),
    unit: 'ms',
    limit: 100,
  });
} finally {
  await browser.close();
  await desk.stop();
  await server.stop();
  folder.remove();
}
