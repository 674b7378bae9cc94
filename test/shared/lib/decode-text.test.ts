import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeText } from '#shared/lib/decode-text.ts';

const text = (name: string) =>
  decodeText(
    new Uint8Array(readFileSync(join(import.meta.dirname, '../../support/fixtures', name))),
  );

test('Windows-1252 and UTF-16 are read as they were written', () => {
  expect(text('cp1252.txt')).toMatch(/[äöüé]/);
  expect(text('cp1252.txt')).not.toContain('\ufffd');
  expect(text('utf16.txt')).not.toContain('\0');
  expect(text('03-utf16tab.csv')).toContain('externalKey\t');
  expect(decodeText(new TextEncoder().encode('Zürich 東京'))).toBe('Zürich 東京');
});
