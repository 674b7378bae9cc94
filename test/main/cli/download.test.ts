import type * as NodeFs from 'node:fs/promises';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { CaseDocument } from '#shared/desk/documents.ts';
import { download } from '#main/cli/commands/download.ts';
import { createOutput } from '#main/cli/output.ts';
import { caseId, createStubEngine, documentBytes, documentId } from '../../support/stub-engine.ts';

/** FAT and exFAT know no links; a disk of theirs cannot be had in a test. */
const { disk } = vi.hoisted(() => ({ disk: { hasLinks: true } }));
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof NodeFs>();
  const link: typeof fs.link = async (from, to) => {
    if (!disk.hasLinks) throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'link' });
    await fs.link(from, to);
  };
  return { ...fs, link };
});

const savedSchema = z.object({ items: z.tuple([z.looseObject({ path: z.string() })]) });
const document: CaseDocument = {
  id: documentId,
  caseId,
  fileName: 'Gutachten.pdf',
  contentType: 'application/pdf',
  sizeBytes: documentBytes.length,
  createdAt: '2026-05-01T08:00:00Z',
  onLaptop: true,
};
const { engine } = createStubEngine({
  handlers: { documents: { list: () => ({ items: [document], total: 1, listedAt: null }) } },
});

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Where the document was written. */
async function save(): Promise<string> {
  let stdout = '';
  const streams = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: () => undefined },
  };
  await download(
    caseId,
    [],
    dir,
  )({
    engine,
    output: createOutput(streams, true, 'en'),
    language: 'en',
    env: {},
    askSecret: () => Promise.resolve(null),
    signal: new AbortController().signal,
    endWith: () => undefined,
  });
  return savedSchema.parse(JSON.parse(stdout)).items[0].path;
}

it.each([
  ['with links', true],
  ['without links', false],
])('a document takes the next free number on a disk %s', async (_disk, hasLinks) => {
  disk.hasLinks = hasLinks;
  const own = join(dir, 'Gutachten.pdf');
  writeFileSync(own, 'somebody’s own');
  const names = ['Gutachten (2).pdf', 'Gutachten (3).pdf'];
  for (const name of names) {
    expect(await save()).toBe(join(dir, name));
    expect(readFileSync(join(dir, name)).equals(documentBytes)).toBe(true);
  }
  expect(readFileSync(own, 'utf8')).toBe('somebody’s own');
  expect(readdirSync(dir).sort()).toEqual([...names, 'Gutachten.pdf']);
});
