import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { languages } from '#shared/i18n/language.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { DeskError, paramOf } from '#shared/desk/contract/errors.ts';
import { policyCertificates } from '#main/shell/policy-certificates.ts';
import { temporaryFolder } from '../../support/processes.ts';

const { path: folder, remove } = temporaryFolder();
afterAll(remove);
const [first = '', second = ''] = rootCertificates;

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function refusalOf(...certificateFiles: string[]) {
  try {
    policyCertificates({ certificateFiles });
  } catch (error) {
    if (error instanceof DeskError) return error.problem;
    throw error;
  }
  return null;
}

it('are every certificate of every file, with and without notes', () => {
  expect(policyCertificates({})).toEqual([]);
  const files = [write('a.pem', `a note\n${first}\n${second}\na note`), write('b.pem', second)];
  const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256;
  expect(
    policyCertificates({ certificateFiles: files }).map(({ fingerprint256 }) => fingerprint256),
  ).toEqual([first, second, second].map(fingerprint));
});

const cut = first.slice(0, first.length / 2);
it.each([
  ['has no certificate', '-----BEGIN PRIVATE KEY-----', 'no_certificate'],
  ['has one that is cut off', cut, 'broken_certificate'],
  ['has one that is cut off before the next', `${cut}\n${second}`, 'broken_certificate'],
  [
    'has a changed one after a good one',
    `${first}\n${second.replace('MII', 'AAA')}`,
    'broken_certificate',
  ],
  ['is not there', null, 'unreadable'],
])('are refused by the name of the file if it %s', (_what, text, detail) => {
  const fileName = text === null ? join(folder, 'none.pem') : write('bad.pem', text);
  const good = write('good.pem', first);
  const problem = refusalOf(fileName, good);
  expect(problem).toMatchObject({
    code: 'policy_invalid',
    params: { fileName, place: 'certificateFiles', detail },
  });
  for (const language of languages) {
    if (!problem) continue;
    const said = sayProblem(problem, language);
    expect(said).toContain(fileName);
    expect(said).not.toContain(detail);
  }
});

it('name every file that cannot be used', () => {
  const bad = write('bad.pem', '');
  const none = join(folder, 'none.pem');
  const problem = refusalOf(bad, none);
  expect(problem && paramOf(problem, 'fileName')).toBe(`${bad}, ${none}`);
  expect(problem && paramOf(problem, 'detail')).toBe('no_certificate; unreadable');
});
