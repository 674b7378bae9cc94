import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskErrorCodes } from '#shared/desk/contract/errors.ts';
import { errorSentences } from '#shared/i18n/catalogue.ts';
import { languages } from '#shared/i18n/language.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/it/messages.md'), 'utf8');
const rows = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, code]) => code?.startsWith('`'));

test('what a user reads on the telephone stands in the texts, in some language', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const [, codes = '', quoted = ''] of rows) {
    const known = [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code);
    const sentences = deskErrorCodes
      .filter((code) => known.includes(code))
      .flatMap((code) => languages.map((language) => errorSentences[language][code]));
    expect(sentences.length, codes).toBe(known.length * languages.length);
    const parts = [...quoted.matchAll(/[«“]([^»”]+)[»”]/g)].flatMap(([, text = '']) =>
      text.split('…').map((part) => part.trim()),
    );
    const missing = parts.filter((part) => !sentences.some((text) => text.includes(part)));
    expect(missing, codes).toEqual([]);
  }
});
