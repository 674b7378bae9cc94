import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeProvisioning } from '#main/engine/workspace/provisioning.ts';
import { testFolder } from '../support/test-engine.ts';

const connection = {
  baseUrl: 'https://partner.example',
  audience: 'a',
  clientId: 'laptop-1',
  privateKey: 'secret words',
};
const enrolment = { gateway: 'https://office.example', code: 'ABCD-2345' };
let file: string;
let used: unknown[];
/** The names in the folder while the connection is made. */
let during: string[];
let failure: Error | null;
beforeEach(() => {
  file = join(testFolder(), 'provision.json');
  used = [];
  during = [];
  failure = null;
});
const lay = (value: unknown, at = file) =>
  writeFileSync(at, typeof value === 'string' ? value : JSON.stringify(value));
const names = () => readdirSync(join(file, '..')).toSorted();
const way = (name: string) => (input: object) => {
  used.push([name, input]);
  during = names();
  return failure ? Promise.reject(failure) : Promise.resolve();
};
const take = (fromPolicy: Parameters<typeof takeProvisioning>[1] = {}, from = file) =>
  takeProvisioning(from, fromPolicy, { connect: way('connect'), enrol: way('enrol') });
const invalid = (detail: string, place = 'provisioningFile', fileName = file) => ({
  problem: { code: 'policy_invalid', params: { fileName, place, detail } },
});

describe('a file that IT provided', () => {
  it('is used once, and is gone', async () => {
    lay(connection);
    expect(await take()).toBe(true);
    expect(used).toEqual([['connect', { ...connection, htuWithoutQuery: false, setAside: false }]]);
    expect(during).toEqual(['provision.json.taking']);
    expect(names()).toEqual([]);
    expect(await take()).toBe(false);
    expect(used).toHaveLength(1);
  });

  it('gives way to the policy, also for what it does not have', async () => {
    const { audience: _, ...without } = connection;
    lay(without);
    await take({ audience: 'policy', clientId: 'laptop-2' });
    expect(used).toMatchObject([['connect', { audience: 'policy', clientId: 'laptop-2' }]]);
  });

  it('with a code is for a gateway', async () => {
    lay({ ...enrolment, name: 'Office' });
    expect(await take({ audience: 'policy' })).toBe(true);
    expect(used).toEqual([['enrol', { ...enrolment, name: 'Office' }]]);
    expect(names()).toEqual([]);
  });

  it('is used at the next start if this one was killed', async () => {
    lay(connection, `${file}.taking`);
    lay(enrolment);
    expect(await take()).toBe(true);
    expect(used).toMatchObject([['connect', {}]]);
    expect(names()).toEqual(['provision.json']);
  });

  it('may begin with a byte order mark', async () => {
    lay(`\uFEFF${JSON.stringify(connection)}`);
    expect(await take()).toBe(true);
    // Elsewhere it is a character of a value.
    lay({ ...connection, name: 'a\uFEFFb' });
    await take();
    expect(used[1]).toMatchObject(['connect', { name: 'a\uFEFFb' }]);
  });
});

describe('a file stays', () => {
  it('if its connection fails, with the reason of that', async () => {
    lay(connection);
    failure = new Error('no network');
    await expect(take()).rejects.toBe(failure);
    expect(names()).toEqual(['provision.json']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(connection);
  });

  it('if it is no JSON, and nothing of it is said', async () => {
    lay('{ "privateKey": "secret words');
    const error: unknown = await take().catch((reason: unknown) => reason);
    expect(error).toMatchObject(invalid('json'));
    expect(inspect(error, { depth: 5 })).not.toContain('secret');
    expect(names()).toEqual(['provision.json']);
  });

  it('if it is no file', async () => {
    mkdirSync(file);
    await expect(take()).rejects.toMatchObject(invalid('unreadable'));
    expect(names()).toEqual(['provision.json']);
  });

  // On Windows nobody makes a link to a device.
  it.skipIf(process.platform === 'win32')('if it leads to a device', async () => {
    symlinkSync('/dev/null', file);
    await expect(take()).rejects.toMatchObject(invalid('unreadable'));
    expect(names()).toEqual(['provision.json']);
  });

  it('if it could not be deleted after its use, which is not begun', async () => {
    const long = join(file, '..', 'x'.repeat(250));
    lay(connection, long);
    await expect(take({}, long)).rejects.toMatchObject(
      invalid('not_deletable', 'provisioningFile', long),
    );
    expect(names()).toEqual([basename(long)]);
    expect(used).toEqual([]);
  });

  it.each<[unknown, string, string]>([
    [
      null,
      'invalid_type; invalid_type; invalid_type; invalid_type',
      'provisioningFile · baseUrl · audience · clientId · privateKey',
    ],
    [7, 'invalid_type', 'provisioningFile · '],
    [
      { ...connection, clientId: '', name: '' },
      'too_small; too_small',
      'provisioningFile · name · clientId',
    ],
    [{ ...connection, privateKey: 7 }, 'invalid_type', 'provisioningFile · privateKey'],
    [{ code: '' }, 'too_small', 'provisioningFile · code'],
  ])('if it is wrong: %j', async (value, detail, place) => {
    lay(value);
    await expect(take()).rejects.toMatchObject(invalid(detail, place));
    expect(existsSync(file)).toBe(true);
    expect(used).toEqual([]);
  });
});
