import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { DeskError, paramOf } from '#shared/desk/contract/errors.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { isLocked, lockableSettings } from '#shared/desk/setup/policy.ts';
import type { Language } from '#shared/desk/setup/workspace.ts';
import { policyLeaves } from '#main/engine/policy-schema.ts';
import { readPolicy } from '#main/shell/policy.ts';
import {
  managedPreferences,
  registryKey,
  thisSystem,
  type PolicySystem,
} from '#main/shell/policy-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unmanaged: PolicySystem = { ...thisSystem, platform: 'linux' };

function write(text: string, name = 'policy.json'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const read = (text: string) =>
  readPolicy({ DESK_POLICY: write(text) }, { system: unmanaged, language: 'en' });

function problemOf(task: () => unknown) {
  try {
    task();
  } catch (error) {
    if (error instanceof DeskError) return error.problem;
  }
  return null;
}

function throwing(error: Error): never {
  throw error;
}

const whole = {
  connection: {
    baseUrl: 'https://partner.example',
    audience: 'https://partner.example/v1/oauth/token',
    clientId: 'desk',
    scope: 'cases',
    htuWithoutQuery: true,
    changedSinceParameter: 'updatedSince',
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

  it.each([
    [
      '{\n  "limits": {\n    "standard": { "capacity": 0, "refillPerMinute": 1 } } }',
      '3:31',
      'limits.standard.capacity',
    ],
    ['{\n  "language": "rm"\n}', '2:15', 'language'],
    ['{ "limits": { "standard": { "capacity": 5 } } }', '1:27', 'limits.standard.refillPerMinute'],
    ['{ "connection": { "baseUrl": "ftp://x" } }', '1:30', 'connection.baseUrl'],
    ['[]', '1:1', ''],
  ])('names line, column and value of a fault: %s', (text, place, name) => {
    const problem = problemOf(() => read(text));
    expect(problem?.code).toBe('policy_invalid');
    expect(problem && paramOf(problem, 'fileName')).toBe(join(folder, 'policy.json'));
    expect(problem && paramOf(problem, 'place')).toBe(name === '' ? place : `${place} · ${name}`);
    expect(problem && paramOf(problem, 'detail')).toMatch(/\w+ \w+/);
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

  it('passes over what a later version knows, and says where that is', () => {
    const onUnknown = vi.fn();
    const path = write(
      '{\n  "practice": true,\n  "colour": "red",\n  "updates": { "enabled": false, "at": "noon" }\n}',
    );
    const policy = readPolicy({ DESK_POLICY: path }, { system: unmanaged, onUnknown });
    expect(policy).toEqual({ practice: true, updates: { enabled: false } });
    expect(onUnknown.mock.calls).toEqual([
      [{ fileName: path, place: '4:40 · updates.at' }],
      [{ fileName: path, place: '3:13 · colour' }],
    ]);
  });

  it('names all faults at once', () => {
    const problem = problemOf(() => read('{ "language": "rm",\n "practice": 1, "colour": "red" }'));
    expect(problem && paramOf(problem, 'place')).toBe('1:15 · language, 2:14 · practice');
    expect(problem && paramOf(problem, 'detail')).toMatch(/\w+ \w+.*; .*\w+ \w+/);
  });

  it('gives every reason in the person’s language', () => {
    const text = '{ "language": "rm", "backupFolder": "x", "ownCases": { "postalCodes": ["1"] } }';
    const say = (language: Language) => {
      const path = write(text);
      const problem = problemOf(() =>
        readPolicy({ DESK_POLICY: path }, { system: unmanaged, language }),
      );
      return problem ? sayProblem(problem, language) : '';
    };
    expect(say('de')).toContain('es muss ein vollständiger Pfad sein');
    expect(say('fr')).toContain('il faut un chemin complet');
    expect(say('de')).toMatch(/Grund: Ungültige.*; keine vierstellige Postleitzahl/);
    expect(say('it')).not.toMatch(/Invalid|expected|absolute|not_a_code/);
  });

  it('says that a file cannot be read', () => {
    const problem = problemOf(() => readPolicy({ DESK_POLICY: folder }, { system: unmanaged }));
    expect(problem).toMatchObject({ code: 'policy_invalid', params: { detail: 'unreadable' } });
  });

  /** An object within objects, as the value of a setting that is known or not. */
  const nested = (name: string, depth: number) =>
    `{"${name}":${'{"a":'.repeat(depth)}1${'}'.repeat(depth + 1)}`;
  const depths = [25, 500, 2000, 3000, 3500, 4000, 5000, 100_000];
  it.each([
    ['brackets alone', '['.repeat(1_000_000)],
    ...depths.map((depth) => [`a known value ${String(depth)} deep`, nested('paths', depth)]),
    ...depths.map((depth) => [`an unknown value ${String(depth)} deep`, nested('later', depth)]),
  ])('names a file with %s as nested too deep', (_, text) => {
    const problem = problemOf(() => read(text));
    const params = { place: '-', detail: 'json (NestedTooDeep)' };
    expect(problem).toMatchObject({ code: 'policy_invalid', params });
  });

  it('passes over a setting of a later version that is not nested too deep', () => {
    expect(read(nested('later', 10))).toEqual({});
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
  const beside = ['', 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Microsoft', ''];
  const reg = 'C:\\WINDOWS\\System32\\reg.exe';
  /** @param key what is beneath the desk's own key; null if there is none. */
  const onWindows = (key: readonly string[] | null, file = join(folder, 'none.json')) => {
    const ask: PolicySystem['ask'] = (program, args) => {
      expect(program).toBe(reg);
      if (args.includes(registryKey) && key) {
        expect(args).toEqual(['query', registryKey, '/s']);
        return key.join('\r\n');
      }
      expect(args).toEqual(['query', 'HKLM\\SOFTWARE\\Policies']);
      const own = key ? ['HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\AppraiserDesk'] : [];
      return [...beside, ...own].join('\r\n');
    };
    const env = { SystemRoot: 'C:\\WINDOWS', DESK_POLICY: file };
    return readPolicy(env, { system: { platform: 'win32', ask, has: () => true } });
  };

  it('reads Group Policy out of the registry', () => {
    expect(onWindows(registry)).toEqual({
      connection: { baseUrl: 'https://partner.example', htuWithoutQuery: true },
      practice: false,
      limits: { standard: { capacity: 20, refillPerMinute: 60 } },
      certificateFiles: ['C:\\Program Files\\a.pem', 'C:\\b.pem'],
      paths: { X1: '/v2/cases' },
    });
  });

  it('refuses a value that is not of the schema, by the registry’s key', () => {
    // One that no version knows yet is passed over.
    expect(onWindows([...registry.slice(0, 2), '    x    REG_SZ    y'])).toEqual({});
    const number = problemOf(() =>
      onWindows([...registry.slice(0, 2), '    language    REG_SZ    q']),
    );
    expect(number?.params).toMatchObject({ fileName: registryKey, place: 'language' });
  });

  it.each([
    ['practice', 'no'],
    ['practice', ''],
    ['practice', '0x2'],
    ['documentRetentionDays', ''],
    ['documentRetentionDays', 'ten'],
  ])('refuses %s as "%s", and takes it for no other value', (name, data) => {
    const lines = [...registry.slice(0, 2), `    ${name}    REG_SZ    ${data}`];
    expect(problemOf(() => onWindows(lines))?.params).toMatchObject({ place: name });
  });

  const onMac = (ask: PolicySystem['ask'], has: PolicySystem['has'] = () => true) =>
    readPolicy(
      { DESK_POLICY: join(folder, 'none.json') },
      { system: { platform: 'darwin', ask, has } },
    );

  it('reads managed preferences on macOS, which win over the file value by value', () => {
    const ask: PolicySystem['ask'] = (program, args) => {
      expect(program).toBe('/usr/bin/plutil');
      expect(args.at(-1)).toBe(managedPreferences);
      return JSON.stringify({ language: 'it', connection: { scope: 'a' } });
    };
    expect(onMac(ask)).toEqual({ language: 'it', connection: { scope: 'a' } });
  });

  it('leaves what management does not set to the file', () => {
    const file = write(
      '{ "language": "en", "connection": { "scope": "b", "baseUrl": "https://a.b" } }',
    );
    expect(onWindows(registry.slice(0, 3), file)).toEqual({
      language: 'en',
      connection: { scope: 'b', baseUrl: 'https://partner.example' },
    });
  });

  it('is the file’s alone if nothing is managed', () => {
    expect(onWindows(null)).toEqual({});
    const neverAsked = () => expect.unreachable();
    expect(onMac(neverAsked, (path) => path !== managedPreferences)).toEqual({});
  });

  const node = process.execPath;
  const failures: [string, () => string, string][] = [
    ['ends with an error', () => thisSystem.ask(node, ['-e', 'process.exit(1)']), 'exit code 1'],
    ['is not there', () => thisSystem.ask(join(folder, 'nowhere'), []), 'ENOENT'],
    ['hangs', () => throwing(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), 'ETIMEDOUT'],
  ];
  const noJson: (typeof failures)[number] = ['says no JSON', () => '<plist>', 'SyntaxError'];

  it.each(failures)('stops the start if reg.exe %s', (_what, ask, reason) => {
    const start = (failsAt: string) =>
      problemOf(() =>
        readPolicy(
          { SystemRoot: 'C:\\WINDOWS', DESK_POLICY: join(folder, 'none.json') },
          {
            system: {
              platform: 'win32',
              ask: (_program, args) =>
                args.at(-1) === failsAt
                  ? ask()
                  : 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\AppraiserDesk',
              has: () => true,
            },
          },
        ),
      );
    for (const step of ['HKLM\\SOFTWARE\\Policies', '/s'])
      expect(start(step)).toMatchObject({
        code: 'policy_invalid',
        params: { fileName: registryKey, place: '-', detail: `unreadable (reg.exe: ${reason})` },
      });
  });

  it.each([...failures, noJson])('stops the start if plutil %s', (_what, ask, reason) => {
    expect(problemOf(() => onMac(ask))).toMatchObject({
      code: 'policy_invalid',
      params: { fileName: managedPreferences, detail: `unreadable (plutil: ${reason})` },
    });
  });

  it('stops the start if it cannot be told whether macOS manages the desk', () => {
    // Of a link that leads to itself nobody can say what it is.
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    const problem = problemOf(() =>
      onMac(
        () => '{}',
        () => thisSystem.has(loop),
      ),
    );
    expect(problem?.params).toMatchObject({ detail: 'unreadable (plutil: ELOOP)' });
    expect(['.', 'none'].map((name) => thisSystem.has(join(folder, name)))).toEqual([true, false]);
  });
});

it.each(lockableSettings)('%s is locked by a value of the policy', (setting) => {
  const value = policyLeaves().find(
    ({ name }) => name === setting || name.startsWith(`${setting}.`),
  );
  expect(isLocked([{ name: value?.name ?? '', value: 'x' }], setting)).toBe(true);
  expect(isLocked([{ name: `${setting}Else`, value: 'x' }], setting)).toBe(false);
});
