import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { endsWithTests } from '../../support/children.ts';
import { printedItem } from '../../support/printed.ts';
import {
  caseInProgress,
  casesSchema,
  createDeskRunner,
  type DeskRunner,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { root, runDesk } from '../../support/processes.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import { protectedPdf, smallPdf } from '../../support/pdf-files.ts';
import { formPdf } from '../../support/pdf-forms.ts';

const folder = serviceFolderHere();
const home = folder.at('home');
const file = (name: string, content: string | Buffer) => {
  const path = folder.at(name);
  writeFileSync(path, content);
  return path;
};
const pdf = smallPdf('Report');

const syncedSchema = z.strictObject({
  event: z.literal('synced'),
  pulled: z.int(),
  delivered: z.int(),
  waiting: z.int(),
  attention: z.int(),
  documents: z.int(),
  requests: z.int(),
  throttled: z.int(),
});

let service: ServiceHere;

const desk = createDeskRunner(home, { env: folder.ownLimits });
/** Another home, for failures before anything is stored. */
const others = new Map<string, DeskRunner>();
const fresh = (name: string, ...args: string[]) => {
  const other = others.get(name) ?? createDeskRunner(folder.at(name), { env: folder.ownLimits });
  others.set(name, other);
  return other(...args);
};
const inProgress = () => caseInProgress(desk);

beforeAll(async () => {
  service = await folder.start('--demo', '30', '--limits', 'x1000');
});
afterAll(folder.end);

describe('desk', () => {
  it('ends with 3 if no connection is set up', async () => {
    const run = await fresh('empty', 'cases');
    expect([run.code, run.json(errorSchema).code]).toEqual([3, 'no_connection']);
    expect(run.stderr).toContain('npm run desk -- connect');
  });

  it('connects from credentials.json, tests the connection and stores the key', async () => {
    const run = await desk('connect', '--credentials', service.credentialsPath, '--as', 'expert');
    expect(run.code).toBe(0);
    expect(run.json(z.looseObject({ event: z.literal('connected') }))).toMatchObject({
      caseCount: expect.any(Number) as number,
      workspace: { kind: 'connection', baseUrl: service.baseUrl, kept: true },
    });
  });

  it('pulls the cases and lists them from the cache', async () => {
    const synced = (await desk('sync')).json(syncedSchema);
    expect(synced.pulled).toBeGreaterThan(0);
    expect(synced.throttled).toBe(0);
    const all = (await desk('cases')).json(casesSchema);
    expect([all.items.length, all.total]).toEqual([synced.pulled, synced.pulled]);
    const few = (await desk('cases', '--limit', '2')).json(casesSchema);
    expect([few.items.length, few.total]).toEqual([2, synced.pulled]);
  });

  it('shows one case by uuid and by ExternalKey', async () => {
    const externalKey = await inProgress();
    const schema = z.looseObject({ id: z.uuid(), payload: z.looseObject({}) });
    const { id } = (await desk('case', externalKey)).json(schema);
    expect((await desk('case', id)).json(schema)).toMatchObject({ id, externalKey });
  });

  it('writes documents to files and overwrites none', async () => {
    const externalKey = await inProgress();
    const to = folder.at('documents');
    const first = (await desk('download', externalKey, '--to', to)).json(itemsSchema);
    expect(first.total).toBeGreaterThan(0);
    expect(readdirSync(to)).toHaveLength(first.total);
    const paths = first.items.map((item) => String(item['path']));
    const [own = ''] = paths;
    writeFileSync(own, 'somebody’s own');
    for (const number of [2, 3]) {
      const again = (await desk('download', externalKey, '--to', to)).json(itemsSchema);
      expect(again.items.map((item) => item['path'])).toEqual(
        paths.map((path) => path.replace(/(\.\w+)$/, ` (${number})$1`)),
      );
      for (const item of again.items)
        expect(readFileSync(String(item['path']))).toHaveLength(Number(item['sizeBytes']));
    }
    expect(readFileSync(own, 'utf8')).toBe('somebody’s own');
    expect(readdirSync(to)).toHaveLength(3 * first.total);
  });

  it('queues work without a network and delivers it later, once', async () => {
    const externalKey = await inProgress();
    await service.stop();
    // A list that was never read is not reported as empty.
    const others = (await desk('cases', '--limit', '50')).json(casesSchema).items;
    const unlisted = others.find((item) => item.externalKey !== externalKey)?.id ?? '';
    const to = folder.at('nothing');
    for (const args of [
      ['download', unlisted, '--to', to],
      ['documents', unlisted],
      ['reports', unlisted],
    ]) {
      const nothing = await desk(...args);
      expect([nothing.code, nothing.json(errorSchema).code], args[0]).toEqual([
        6,
        'connection_refused',
      ]);
    }
    const amounts = await desk(
      'amounts',
      externalKey,
      '--estimate',
      "12'345.60",
      '--approved',
      '0',
    );
    expect(amounts.code).toBe(0);
    expect(amounts.json(printedItem)).toMatchObject({
      kind: 'amounts',
      state: 'waiting',
      act: { costEstimateAmount: 12345.6, approvedAmount: 0 },
    });
    expect((await desk('comment', externalKey, 'Looked at it.')).code).toBe(0);
    const report = await desk(
      'report',
      externalKey,
      '--file',
      file('report.pdf', pdf),
      '--salvage',
      file('sale.pdf', pdf),
      '--comment',
      'All in',
      '--submit',
    );
    expect(report.json(printedItem).steps).toMatchObject([
      { kind: 'draft' },
      { kind: 'document', fileName: 'report.pdf', isSalvageSale: false },
      { kind: 'document', fileName: 'sale.pdf', isSalvageSale: true },
      { kind: 'submit' },
    ]);
    const offline = await desk('sync');
    expect(offline.code).toBe(6);

    service = await folder.start('--limits', 'x1000');
    const synced = await desk('sync');
    expect([synced.code, synced.json(syncedSchema)]).toMatchObject([
      0,
      { delivered: 3, waiting: 0, attention: 0 },
    ]);
    const rows = (await desk('queue')).json(itemsSchema);
    expect(rows.items.map((row) => row['state'])).toEqual(['delivered', 'delivered', 'delivered']);
    const reports = (await desk('reports', externalKey)).json(itemsSchema);
    expect(reports.items).toMatchObject([{ status: 'Submitted', comment: 'All in' }]);
  });

  it('shows one row, and refuses to discard a delivered one', async () => {
    expect((await desk('queue', 'show', '1')).json(printedItem).delivered).not.toBeNull();
    const refused = await desk('queue', 'discard', '1');
    expect([refused.code, refused.json(errorSchema).code]).toEqual([1, 'queue_row_state']);
    const unknown = await desk('queue', 'show', '999');
    expect([unknown.code, unknown.json(errorSchema).code]).toEqual([1, 'queue_row_not_found']);
  });
});

describe('wrong usage ends with 2', () => {
  it.each([
    [['frobnicate']],
    [['case']],
    [['cases', '--limit', 'many']],
    [['cases', '--status', 'Sleeping']],
    [['sync', '--documents', 'some']],
    [['queue', 'show', 'x']],
    [['amounts', 'X']],
    [['connect', '--base-url', 'https://x']],
    [['--lang', 'rm', 'cases']],
  ])('%j', async (args) => {
    const run = await desk(...args);
    expect(run.code).toBe(2);
    expect(run.json(z.looseObject({ event: z.literal('error') }))).toBeTruthy();
    expect(run.stderr).not.toBe('');
  });

  it.each([
    ...[
      '--base-url',
      '--audience',
      '--client-id',
      '--key',
      '--credentials',
      '--code',
      '--name',
    ].map((option) => [option, ['connect', option, '']] as const),
    ['--as', ['connect', '--credentials', 'file.json', '--as', '']],
    ['--audience', ['connections', 'change', 'Insurer', '--audience', '']],
    ['--to', ['download', 'X', '--to', '']],
    ['folder', ['batch', '']],
  ] as const)('an empty %s is named: %j', async (named, args) => {
    const run = await desk(...args);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(named);
    expect(run.stderr).toContain('must not be empty');
  });

  it.each([
    [['queue', 'show', 'abc'], 'the number of an entry'],
    [['queue', '--why', 'abc'], 'the number of an entry'],
    [['cases', '--limit', 'many'], 'a whole number'],
  ])('a word where a number belongs is told what belongs there: %j', async (args, rule) => {
    expect((await desk(...args)).stderr).toContain(`must be ${rule}`);
  });

  it('and help with 0', async () => {
    expect((await desk('--help')).code).toBe(0);
  });
});

describe('bad input is named and changes nothing', () => {
  it.each([
    ['12,345.678', 'amount_not_a_number', 'Cost estimate'],
    ['-1', 'amount_negative', 'Cost estimate'],
    ['1.234', 'amount_too_many_decimals', 'Cost estimate'],
    ['1000000000', 'amount_too_large', 'Cost estimate'],
    ['', 'amount_not_a_number', 'Cost estimate'],
  ])('amount %j', async (value, code, named) => {
    const externalKey = await inProgress();
    const run = await desk('amounts', externalKey, `--estimate=${value}`);
    expect([run.code, run.json(errorSchema).code]).toEqual([2, code]);
    expect(run.stderr).toContain(named);
  });

  it('refuses every file if one is refused', async () => {
    const externalKey = await inProgress();
    const before = (await desk('queue')).json(itemsSchema).total;
    const good = file('good.pdf', pdf);
    const cases: [string, string][] = [
      [file('empty.pdf', ''), 'file_empty'],
      [file('large.pdf', Buffer.concat([pdf, Buffer.alloc(50 * 1024 * 1024)])), 'file_too_large'],
      [file('header.pdf', '%PDF-1.7'), 'pdf_damaged'],
      [file('program.exe', 'MZ'), 'file_type_not_allowed'],
      [file('picture.pdf', 'GIF89a'), 'file_type_mismatch'],
      [folder.at('nowhere.pdf'), 'file_not_found'],
      [folder.path, 'file_not_found'],
    ];
    for (const [bad, code] of cases) {
      const run = await desk('report', externalKey, '--file', good, bad, '--submit');
      expect([run.code, run.json(errorSchema).code]).toEqual([1, code]);
    }
    expect((await desk('queue')).json(itemsSchema).total).toBe(before);
  });

  it('names a file that opens with a password only, and takes it', async () => {
    const externalKey = await inProgress();
    const locked = file('locked.pdf', await protectedPdf('geheim'));
    const run = await desk('report', externalKey, '--file', locked, '--submit');
    expect(run.code).toBe(0);
    expect(run.json(z.object({ protectedFiles: z.array(z.string()) })).protectedFiles).toEqual([
      'locked.pdf',
    ]);
  });

  it('names a form whose answers are not shown for certain, and takes it', async () => {
    const externalKey = await inProgress();
    const form = file('form.pdf', Buffer.from(await formPdf('radio', { pictures: 'none' })));
    const run = await desk('report', externalKey, '--file', form, '--submit');
    expect(run.code).toBe(0);
    expect(run.json(z.object({ hiddenAnswers: z.array(z.string()) })).hiddenAnswers).toEqual([
      'form.pdf',
    ]);
  });

  it('does not know a case of another number', async () => {
    const run = await desk('case', 'VH-0000');
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'case_not_found']);
  });
});

describe('a connection that does not work', () => {
  const connection = (baseUrl: string, key: string, clientId = 'someone') => [
    'connect',
    '--base-url',
    baseUrl,
    '--audience',
    `${baseUrl}/v1/oauth/token`,
    '--client-id',
    clientId,
    '--key',
    key,
  ];
  const keyFile = () => file('expert.pem', service.credentials.expert.privateKeyPem);

  it.each([
    ['a PDF', pdf, 'key_unreadable', 'a PDF'],
    ['text', 'hello', 'key_unreadable', 'plain text'],
    ['nothing', '', 'key_unreadable', 'an empty file'],
  ])('names a key file that is %s', async (_, content, code, found) => {
    const run = await fresh('bad-key', ...connection(service.baseUrl, file('bad.key', content)));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, code]);
    expect(run.stderr).toContain(found);
  });

  it('does not use a connection that the partner refuses, and names what it asked', async () => {
    const run = await fresh('refused', ...connection(service.baseUrl, keyFile()));
    expect(run.code).toBe(1);
    expect(run.json(z.looseObject({}))).toMatchObject({
      code: 'client_id_unknown',
      workspace: null,
      address: service.listening.tokenUrl,
      status: 401,
      title: 'invalid_client',
    });
    expect(run.json(z.object({ correlationId: z.uuid() }))).toBeDefined();
    expect((await fresh('refused', 'cases')).code).toBe(3);
    const { items } = (await fresh('refused', 'connections')).json(itemsSchema);
    expect(items).toMatchObject([{ usable: false, problem: { code: 'client_id_unknown' } }]);
    const name = String(items[0]?.['name']);
    expect((await fresh('refused', 'connections', 'remove', name)).code).toBe(0);
    expect((await fresh('refused', 'doctor')).code).toBe(3);
  });

  it('stores a connection that could not be tried, and reports that it is offline', async () => {
    const run = await fresh('far', ...connection('http://127.0.0.1:9', keyFile()));
    expect(run.code).toBe(6);
    expect(run.json(errorSchema).code).toBe('connection_refused');
    expect((await fresh('far', 'cases')).json(casesSchema).total).toBe(0);
  });

  it('is listed, mended and removed with its data', async () => {
    const name = 'connections';
    await fresh(name, ...connection('http://127.0.0.1:9', keyFile()));
    const listed = async () =>
      (await fresh(name, 'connections')).json(itemsSchema).items.map((one) => one['name']);
    expect(await listed()).toEqual(['127.0.0.1:9']);
    const change = ['--name', 'Insurer A', '--base-url', 'http://127.0.0.1:8'];
    expect((await fresh(name, 'connections', 'change', '127.0.0.1:9', ...change)).code).toBe(0);
    const other = ['connections', 'change', 'Insurer A', '--client-id', 'other'];
    expect((await fresh(name, ...other)).code).toBe(0);
    expect(await listed()).toEqual(['Insurer A']);
    expect((await fresh(name, 'connections', 'change', 'Insurer A')).code).toBe(2);
    expect((await fresh(name, 'connections', 'remove', 'Insurer B')).code).toBe(2);
    expect((await fresh(name, 'connections', 'remove', 'Insurer A')).code).toBe(0);
    expect((await fresh(name, 'connections')).code).toBe(3);
    expect(readdirSync(folder.at(name, 'workspaces'))).toEqual([]);
  });

  it.each([
    ['{', 'file'],
    ['{"baseUrl":"http://x"}', 'audience'],
    ['{"baseUrl":"http://x","audience":"y"}', 'expert'],
    ['{"baseUrl":"http://x","audience":"y","expert":{"clientId":"z"}}', 'privateKeyPem'],
  ])('names the field of credentials %s', async (text, field) => {
    const run = await fresh('bad-credentials', 'connect', '--credentials', file('c.json', text));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'credentials_invalid']);
    const names: Record<string, string> = {
      file: 'File',
      audience: 'Token address',
      expert: 'expert',
      privateKeyPem: 'Private key',
    };
    expect(run.stderr).toContain(names[field]);
  });
});

describe('as a separate process', () => {
  const ownHome = folder.at('own-home');
  const passphrase = 'correct horse';
  const desked = async (env: Record<string, string | undefined>, ...args: string[]) => {
    // Not a copy of process.env put back: for a copy Node takes no other time zone.
    for (const [name, value] of Object.entries({ DESK_VAULT_PASSPHRASE: passphrase, ...env }))
      vi.stubEnv(name, value);
    try {
      return await runDesk(...(args as [string, ...string[]]));
    } finally {
      vi.unstubAllEnvs();
    }
  };

  it('stores a connection under a passphrase, found again without being asked for', async () => {
    const connect = ['connect', '--credentials', service.credentialsPath];
    const run = await desked({}, ownHome, '--vault', 'passphrase', ...connect);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(statSync(join(ownHome, 'vault.json')).mode & 0o777).toBe(0o600);
    expect((await desked({}, ownHome, 'cases')).json(casesSchema).total).toBe(0);
  });

  it('ends with 5 if the passphrase is wrong or missing', async () => {
    const wrong = await desked({ DESK_VAULT_PASSPHRASE: 'battery' }, ownHome, 'cases');
    expect([wrong.code, wrong.json(errorSchema).code]).toEqual([5, 'vault_passphrase_wrong']);
    const missing = await desked(
      { DESK_VAULT_PASSPHRASE: undefined },
      ownHome,
      '--lang',
      'en',
      'cases',
    );
    expect([missing.code, missing.json(errorSchema).code]).toEqual([5, 'vault_passphrase_missing']);
    expect(missing.stderr).toMatch(/missing.*DESK_VAULT_PASSPHRASE/);
  });

  it('ends with 5 if there is no keychain and no passphrase, and writes no secret', async () => {
    const other = folder.at('no-keychain');
    const run = await desked(
      { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', DESK_VAULT_PASSPHRASE: undefined },
      other,
      '--lang',
      'en',
      'connect',
      '--credentials',
      service.credentialsPath,
    );
    expect([run.code, run.json(errorSchema).code]).toEqual([5, 'keychain_unavailable']);
    expect(run.stderr).toContain('--vault passphrase');
    expect(existsSync(other)).toBe(false);
  });

  it('ends well if its reader has read enough', async () => {
    const args = ['main/cli/desk.ts', '--home', ownHome, '--json', 'cases'];
    const env = { ...process.env, DESK_VAULT_PASSPHRASE: passphrase };
    const child = endsWithTests(spawn(process.execPath, args, { cwd: root, env }));
    child.stdout.destroy();
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([child.exitCode, stderr]).toEqual([0, '']);
  });
});
