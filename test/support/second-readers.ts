import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentContentType } from '#shared/api/document.ts';
import { waitLimitMs } from './long.ts';

/*
 * Independent readers that share nothing with the project's own: Debian's poppler-utils, unzip,
 * libtiff-tools, libheif-examples, libjpeg-turbo-progs, pngcheck and webp.
 */

const office = 'application/vnd.openxmlformats-officedocument';

interface SecondReader {
  readonly program: string;
  readonly args: (file: string, out: string) => readonly string[];
  /**
   * Returns whether the reader showed the file without a complaint. Without this function only a
   * status of 0 counts as success.
   */
  readonly isShown?: (status: number | null, errors: string, out: string) => boolean;
}

/** Status 1 is a warning, and the members are intact. */
const unzip: SecondReader = {
  program: 'unzip',
  args: (file) => ['-tqq', file],
  isShown: (status) => status === 0 || status === 1,
};

/** The readers by type. Texts and mails have none. */
const readers: Partial<Readonly<Record<DocumentContentType, SecondReader>>> = {
  'application/pdf': {
    program: 'pdftoppm',
    args: (file, out) => ['-q', '-r', '10', '-gray', file, join(out, 'page')],
    isShown: (status, _errors, out) => status === 0 && readdirSync(out).length > 0,
  },
  'application/zip': unzip,
  [`${office}.wordprocessingml.document`]: unzip,
  [`${office}.spreadsheetml.sheet`]: unzip,
  'image/jpeg': { program: 'djpeg', args: (file, out) => ['-outfile', join(out, 'pixels'), file] },
  'image/png': { program: 'pngcheck', args: (file) => ['-q', file] },
  'image/webp': {
    program: 'dwebp',
    args: (file, out) => ['-quiet', file, '-o', join(out, 'a.png')],
  },
  'image/heic': { program: 'heif-convert', args: (file, out) => [file, join(out, 'a.png')] },
  'image/tiff': {
    program: 'tiffcp',
    args: (file, out) => ['-c', 'none', file, join(out, 'a.tif')],
    isShown: (status, errors) =>
      status === 0 && !/error|not enough|bad code|premature/i.test(errors),
  },
};

/**
 * Returns the complaint of a second reader about a file. It is null if the reader shows the file,
 * or if there is no reader for this type.
 */
export function complaintOf(bytes: Uint8Array, contentType: DocumentContentType): string | null {
  const reader = readers[contentType];
  if (!reader) return null;
  const folder = mkdtempSync(join(tmpdir(), 'second-reader-'));
  const outside = mkdtempSync(join(tmpdir(), 'second-reader-'));
  try {
    const file = join(outside, 'file');
    writeFileSync(file, bytes);
    const { program, args, isShown = (status: number | null) => status === 0 } = reader;
    const { status, stderr, stdout, error } = spawnSync(program, args(file, folder), {
      encoding: 'latin1',
      timeout: waitLimitMs,
    });
    if (error) throw error;
    if (isShown(status, stderr, folder)) return null;
    return `${program} (${status}): ${`${stderr}${stdout}`.replaceAll(file, '').trim().slice(0, 200)}`;
  } finally {
    for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true });
  }
}
