import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/errors.ts';
import { policyCertificates, readPolicy } from '#main/shell/policy.ts';
import { managedPreferences, registryKey, type AskSystem } from '#main/shell/policy-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unmanaged = { platform: 'linux', ask: () => null } as const;

function write(text: string, name = 'policy.json'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const read = (text: string) => readPolicy({ DESK_POLICY: write(text) }, unmanaged);

function problemOf(task: () => unknown) {
  try {
    task();
  } catch (error) {
    if (error instanceof DeskError) return error.toProblem();
  }
  return null;
}

const whole = {
  connection: {
    baseUrl: 'https://partner.example',
    audience: 'https://partner.example/v1/oauth/token',
    clientId: 'desk',
    scope: 'cases',
    htuWithoutQuery: true,
  },
  paths: { X1: '/v2/cases' },
  limits: {
    standard: { capacity: 20, refillPerMinute: 60 },
    documents: { capacity: 10, refillPerMinute: 20 },
  },
  proxy: { url: 'http://proxy.example:8080', bypass: ['.intern.example'] },
  certificateFiles: ['/etc/ssl/intern.pem'],
  updates: { enabled: false, feed: 'https://updates.example/desk' },
  language: 'fr',
  practice: false,
  logLevel: 'info',
};

describe('readPolicy from the file', () => {
  it('takes every value, with or without a byte order mark', () => {
    expect(read(JSON.stringify(whole))).toEqual(whole);
    expect(read(`\uFEFF${JSON.stringify(whole)}`)).toEqual(whole);
  });

  it('is empty where there is no file', () => {
    expect(readPolicy({ DESK_POLICY: join(folder, 'none.json') }, unmanaged)).toEqual({});
  });

  it.each([
    [
      '{\n  "limits": {\n    "standard": { "capacity": 0, "refillPerMinute": 1 } } }',
      '3:31',
      'limits.standard.capacity',
    ],
    ['{\n  "language": "rm"\n}', '2:15', 'language'],
    ['{\n  "practice": true,\n  "colour": "red"\n}', '3:13', 'colour'],
    ['{ "paths": { "X99": "/v1" } }', '1:21', 'paths.X99'],
    ['{ "limits": { "standard": { "capacity": 5 } } }', '1:27', 'limits.standard.refillPerMinute'],
    ['{ "connection": { "baseUrl": "ftp://x" } }', '1:30', 'connection.baseUrl'],
    ['[]', '1:1', ''],
  ])('names line, column and value of a fault: %s', (text, place, name) => {
    const problem = problemOf(() => read(text));
    expect(problem?.code).toBe('policy_invalid');
    expect(problem?.params['fileName']).toBe(join(folder, 'policy.json'));
    expect(problem?.params['place']).toBe(name === '' ? place : `${place} · ${name}`);
    expect(problem?.params['detail']).toMatch(/\w+ \w+/);
  });

  it.each([
    ['{\n  "practice": tru\n}', '2:15'],
    ['{ "practice": true } more', '1:22'],
    ['{ // a comment\n}', '1:3'],
    ['', '1:1'],
    ['{ "practice": true, }', '1:21'],
  ])('names line and column of what is no JSON: %s', (text, place) => {
    expect(problemOf(() => read(text))?.params).toMatchObject({ place });
  });

  it('says that a file cannot be read', () => {
    const problem = problemOf(() => readPolicy({ DESK_POLICY: folder }, unmanaged));
    expect(problem).toMatchObject({ code: 'policy_invalid', params: { detail: 'unreadable' } });
  });
});

describe('readPolicy from the system’s management', () => {
  const registry = [
    '',
    'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\AppraiserDesk',
    '    connection.baseUrl    REG_SZ    https://partner.example',
    '    connection.htuWithoutQuery    REG_DWORD    0x1',
    '    practice    REG_DWORD    0x0',
    '    limits.standard.capacity    REG_DWORD    0x14',
    '    limits.standard.refillPerMinute    REG_DWORD    0x3c',
    '',
    'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\AppraiserDesk\\certificateFiles',
    '    1    REG_SZ    C:\\Program Files\\a.pem',
    '    2    REG_SZ    C:\\b.pem',
    '',
    'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\AppraiserDesk\\paths',
    '    X1    REG_SZ    /v2/cases',
    '',
  ];
  const windows = (lines: readonly string[]) => {
    const ask: AskSystem = (program, args) => {
      expect([program, ...args]).toEqual(['reg.exe', 'query', registryKey, '/s']);
      return lines.join('\r\n');
    };
    return readPolicy({ ProgramData: folder }, { platform: 'win32', ask });
  };

  it('reads Group Policy out of the registry', () => {
    expect(windows(registry)).toEqual({
      connection: { baseUrl: 'https://partner.example', htuWithoutQuery: true },
      practice: false,
      limits: { standard: { capacity: 20, refillPerMinute: 60 } },
      certificateFiles: ['C:\\Program Files\\a.pem', 'C:\\b.pem'],
      paths: { X1: '/v2/cases' },
    });
  });

  it('refuses a value that is not of the schema, by the registry’s key', () => {
    const problem = problemOf(() => windows([...registry.slice(0, 2), '    x    REG_SZ    y']));
    expect(problem?.params).toMatchObject({ fileName: registryKey, place: 'x' });
    const number = problemOf(() =>
      windows([
        ...registry.slice(0, 2),
        '    practice    REG_SZ    y',
        '    language    REG_SZ    q',
      ]),
    );
    expect(number?.params).toMatchObject({ place: 'language' });
  });

  it('reads managed preferences on macOS, which win over the file value by value', () => {
    const ask: AskSystem = (program, args) => {
      expect(program).toBe('/usr/bin/plutil');
      expect(args.at(-1)).toBe(managedPreferences);
      return JSON.stringify({ language: 'it', connection: { scope: 'a' } });
    };
    expect(readPolicy({}, { platform: 'darwin', ask })).toMatchObject({
      language: 'it',
      connection: { scope: 'a' },
    });
  });

  it('leaves what management does not set to the file', () => {
    const ask: AskSystem = () => registry.slice(0, 3).join('\r\n');
    const file = write(
      '{ "language": "en", "connection": { "scope": "b", "baseUrl": "https://a.b" } }',
    );
    expect(readPolicy({ DESK_POLICY: file }, { platform: 'win32', ask })).toEqual({
      language: 'en',
      connection: { scope: 'b', baseUrl: 'https://partner.example' },
    });
  });

  it('is the file’s alone where nothing is managed', () => {
    const none = { platform: 'win32', ask: () => null } as const;
    expect(readPolicy({ ProgramData: folder }, none)).toEqual({});
  });
});

describe('policyCertificates', () => {
  it('reads the files, and names the one that holds no certificate', () => {
    const good = write(rootCertificates[0] ?? '', 'good.pem');
    const bad = write('-----BEGIN PRIVATE KEY-----', 'bad.pem');
    expect(policyCertificates({})).toEqual([]);
    expect(policyCertificates({ certificateFiles: [good] })).toEqual([rootCertificates[0]]);
    for (const [fileName, detail] of [
      [bad, 'no PEM certificate'],
      [join(folder, 'none.pem'), 'unreadable'],
    ]) {
      const problem = problemOf(() => policyCertificates({ certificateFiles: [fileName ?? ''] }));
      expect(problem).toMatchObject({ code: 'policy_invalid', params: { fileName, detail } });
    }
  });
});
