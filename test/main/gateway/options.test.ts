import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentsBucket, standardBucket } from '#shared/api/limits.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import { parseCommand } from '#main/front/command-line.ts';
import { partnerLimits, partnerOf, withServer, type ServeOptions } from '#main/gateway/options.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { newKey } from './support/gateway.ts';

test('options: granted limits replace the published ones, each by itself', () => {
  expect(partnerLimits('standard=120/60s:40 documents=40/60s:20 token=20/60s')).toEqual({
    standard: { capacity: 40, refillPerMinute: 120 },
    documents: { capacity: 20, refillPerMinute: 40 },
    token: { requests: 20, windowMs: 60_000 },
  });
  expect(partnerLimits('standard=10/1s:30')).toEqual({
    standard: { capacity: 30, refillPerMinute: 600 },
    documents: documentsBucket,
  });
  expect(partnerLimits('')).toEqual({ standard: standardBucket, documents: documentsBucket });
});

test.each([
  ['standard=120'],
  ['standard=0/60s:40'],
  ['standard=120/0s:40'],
  ['standard=120/60s:1'],
  ['standard=120/60s'],
  ['token=20/60s:5'],
  ['token=0/60s'],
  ['other=1/1s:2'],
])('options: refuses %s as limits', (text) => {
  expect(() => partnerLimits(text)).toThrow('It must be like');
});

/** The options of a command line, and what was printed of it. */
function optionsOf(...args: string[]) {
  const printed: string[] = [];
  const command = withServer(new Command('gateway')).action(() => undefined);
  try {
    parseCommand(command, args, (text) => printed.push(text));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  return { options: command.opts<ServeOptions>(), printed: printed.join('') };
}

test('options: without any, this machine alone is served, from the usual folder', () => {
  expect(optionsOf().options).toEqual({
    data: './gateway-data',
    port: 0,
    host: '127.0.0.1',
    visibility: 'all',
    drainSeconds: 0,
    logLevel: 'info',
  });
});

test('options: each is taken as it is given', () => {
  const given = [
    ['--data', 'folder'],
    ['--database', 'postgres://user@host/name'],
    ['--port', '65535'],
    ['--host', '0.0.0.0'],
    ['--visibility', 'assigned'],
    ['--documents', 's3://bucket/prefix'],
    ['--public-url', 'https://gateway.example'],
    ['--trusted-proxy', '10.0.0.5'],
    ['--trusted-proxy', '10.1.0.0/16'],
    ['--upstream-credentials', 'c.json'],
    ['--upstream-base-url', 'https://partner.example'],
    ['--upstream-audience', 'https://partner.example/token'],
    ['--upstream-client-id', 'office'],
    ['--upstream-key', 'key.pem'],
    ['--upstream-changed-since-parameter', 'updatedSince'],
    ['--upstream-limits', 'token=20/60s'],
  ];
  const { options, printed } = optionsOf(...given.flat());
  expect(printed).toBe('');
  expect(options).toMatchObject({
    data: 'folder',
    database: 'postgres://user@host/name',
    port: 65_535,
    host: '0.0.0.0',
    visibility: 'assigned',
    documents: { bucket: 'bucket' },
    publicUrl: 'https://gateway.example',
    trustedProxy: ['10.0.0.5', '10.1.0.0/16'],
    upstreamCredentials: 'c.json',
    upstreamBaseUrl: 'https://partner.example',
    upstreamAudience: 'https://partner.example/token',
    upstreamClientId: 'office',
    upstreamKey: 'key.pem',
    upstreamChangedSinceParameter: 'updatedSince',
    upstreamLimits: { token: { requests: 20, windowMs: 60_000 } },
  });
});

test.each([
  ['--data', ''],
  ['--database', 'mysql://user:secret@host/name'],
  ['--port', '65536'],
  ['--host', ''],
  ['--documents', 'https://key:secret@storage.example'],
  ['--public-url', 'gateway.example'],
  ['--trusted-proxy', 'proxy.example'],
  ['--visibility', 'ALL'],
  ['--upstream-base-url', 'partner.example'],
  ['--upstream-audience', 'partner.example'],
  ['--upstream-changed-since-parameter', 'a b'],
  ['--upstream-limits', 'standard=1'],
])('options: %s %s is refused, and no password is repeated', (option, value) => {
  const { printed } = optionsOf(option, value);
  expect(printed).toContain(option);
  expect(printed).toMatch(/It must|is invalid/);
  expect(printed).not.toContain('secret');
});

test('options: a refused value is told what it must be', () => {
  expect(optionsOf('--visibility', 'none').printed).toContain('It must be all or assigned.');
  expect(optionsOf('--upstream-changed-since-parameter', '&').printed).toContain(
    'It must be letters, digits and _ . $ -',
  );
});

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

const fileOf = (name: string, text: string) => {
  const file = join(folder.path, name);
  writeFileSync(file, text);
  return file;
};
const partnerBy = (more: Partial<ServeOptions>) =>
  partnerOf({ ...optionsOf().options, ...more } satisfies ServeOptions);
const baseUrl = 'https://partner.example';
const audience = 'https://partner.example/token';
const { privatePem } = newKey();

test('options: the office’s credentials come from one file, or from four options', () => {
  const expert = { clientId: 'office', privateKeyPem: privatePem };
  const upstreamCredentials = fileOf('good.json', JSON.stringify({ baseUrl, audience, expert }));
  const four = {
    upstreamBaseUrl: baseUrl,
    upstreamAudience: audience,
    upstreamClientId: 'office',
    upstreamKey: fileOf('good.pem', privatePem),
  };
  for (const given of [{ upstreamCredentials }, four]) {
    const { privateKey, ...others } = partnerBy(given);
    expect(others).toEqual({ baseUrl, audience, clientId: 'office' });
    expect(privateKey.export({ type: 'pkcs8', format: 'pem' })).toBe(privatePem);
  }
  for (const missing of Object.keys(four)) {
    expect(() => partnerBy({ ...four, [missing]: undefined })).toThrow(
      new UsageError(
        'needed are --upstream-credentials, or --upstream-base-url, --upstream-audience, --upstream-client-id and --upstream-key',
        2,
      ),
    );
  }
});

test('options: files that hold no credentials are named, and no part of them is repeated', () => {
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const ecPem = elliptic.export({ type: 'pkcs8', format: 'pem' }).toString();
  const credentials = (more: object) =>
    JSON.stringify({
      baseUrl,
      audience,
      expert: { clientId: 'o', privateKeyPem: 'secret' },
      ...more,
    });
  const refusals = [
    ['none.json', 'secret', 'holds no credentials of an expert'],
    ['insurer.json', credentials({ expert: undefined }), 'holds no credentials of an expert'],
    [
      'no-key.json',
      credentials({ expert: { clientId: 'o' } }),
      'holds no credentials of an expert',
    ],
    ['no-url.json', credentials({ baseUrl: 'secret' }), 'holds no credentials of an expert'],
    ['no-pem.json', credentials({}), 'holds no private RSA key'],
    [
      'elliptic.json',
      credentials({ expert: { clientId: 'o', privateKeyPem: ecPem } }),
      'holds no private RSA key',
    ],
  ] as const;
  for (const [name, text, sentence] of refusals) {
    const file = fileOf(name, text);
    const refused = new UsageError(`${file} ${sentence}`, 2);
    expect(() => partnerBy({ upstreamCredentials: file })).toThrow(refused);
  }
  const absent = join(folder.path, 'absent');
  const unread = new UsageError(`${absent} cannot be read`, 2);
  expect(() => partnerBy({ upstreamCredentials: absent })).toThrow(unread);
  const four = { upstreamBaseUrl: baseUrl, upstreamAudience: audience, upstreamClientId: 'o' };
  expect(() => partnerBy({ ...four, upstreamKey: absent })).toThrow(unread);
});
