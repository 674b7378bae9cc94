import { lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { credentialsFile } from '#main/service/organizations/credentials.ts';
import { temporaryFolder } from '../../../support/processes.ts';

function keeper() {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'credentials.json');
  return { file, credentials: credentialsFile(file, { publicUrl: '', audience: '' }) };
}

test('credentials: none if there is no file', () => {
  expect(keeper().credentials.read()).toBeUndefined();
});

test('credentials: a file that cannot be read is no lost one, which would be replaced', () => {
  const { file, credentials } = keeper();
  symlinkSync('credentials.json', file);
  expect(() => credentials.read()).toThrow('ELOOP');
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
});

test('credentials: a file that holds something else says so', () => {
  const { file, credentials } = keeper();
  writeFileSync(file, '{}');
  expect(() => credentials.read()).toThrow('holds no credentials');
});
