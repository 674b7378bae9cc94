import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deDetails } from '#main/service/details/de.ts';
import { details } from '#main/service/details/details.ts';
import { frDetails } from '#main/service/details/fr.ts';
import { itDetails } from '#main/service/details/it.ts';
import { sayDetail } from '#main/service/details/say-detail.ts';

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each([
  ['de', deDetails],
  ['fr', frDetails],
  ['it', itDetails],
])('details in %s', (_language, table) => {
  test('details: each has the same values as in English', () => {
    for (const detail of details) {
      expect(placeholders(table[detail]), detail).toEqual(placeholders(detail));
    }
  });

  test('details: each is a sentence of its own, with the typography of Switzerland', () => {
    const sentences = Object.values(table);
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^(?:\p{Lu}|ht[mu] |jti |iat |ath ).*\.$/u);
      expect(sentence).not.toMatch(/ß|['"„“]/);
    }
  });
});

test('details: English is what RFC 6749 section 5.2 allows in error_description', () => {
  for (const detail of details) expect(detail).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

test('details: values take the place of their names, and nothing else does', () => {
  const detail = 'The case is {status}, which does not allow this.';
  expect(sayDetail(detail, 'en', { status: 'Final' })).toBe(
    'The case is Final, which does not allow this.',
  );
  expect(sayDetail(detail, 'de', { status: '{status}' })).toContain('{status}');
});

test('details: each of them is said somewhere', async () => {
  const service = join(import.meta.dirname, '../../../../main/service');
  const files = (await readdir(service, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('details'),
  );
  const sources = await Promise.all(files.map((file) => readFile(join(service, file), 'utf8')));
  const source = sources.join('\n');
  // These are put together from a field, a part or a kind.
  const assembled = /^(?:the (?:path|query|body) is not as|this operation is for|PayloadJson )/;
  const unsaid = details.filter((detail) => !assembled.test(detail) && !source.includes(detail));
  expect(unsaid).toEqual([]);
});
