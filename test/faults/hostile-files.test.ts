import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlobStore, openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import { HeicMaker } from '#main/engine/photos/heic-maker.ts';
import { PictureStripper } from '#main/engine/photos/picture-stripper.ts';
import { FileChecker } from '#main/engine/readable/file-checker.ts';
import { takeFile } from '#main/engine/work/take-file.ts';
import { makeHugePng } from '../support/sample-files.ts';
import { faultLog } from '../support/fault-log.ts';

// A set of malicious documents. The desk treats them as bytes: it runs, unpacks and draws none of
// them, refuses content that does not match its name, and never lets a name choose the folder.

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const stripper = new PictureStripper(faultLog);
const heics = new HeicMaker(faultLog);
const checker = new FileChecker(faultLog);
afterAll(async () => {
  await Promise.all([stripper.end(), heics.end(), checker.close()]);
  rmSync(folder, { recursive: true, force: true });
});
let blobs: BlobStore;
beforeAll(async () => {
  blobs = await openFileBlobStore({
    dir: join(folder, 'blobs'),
    key: Buffer.alloc(32, 7),
    now: Date.now,
  });
});

async function* piece(content: Uint8Array) {
  yield await Promise.resolve(content);
}
const take = (fileName: string, content: Uint8Array) =>
  takeFile({ workFiles: blobs, stripper, heics, checker }, { fileName, content: piece(content) });
const stored = (blobId: string) => buffer(blobs.open(blobId));

const pdfWithScript = Buffer.from(
  `%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\("https://evil.example"\\))>>>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>> endobj
trailer <</Root 1 0 R>>
%%EOF`,
);
const svgWithScript = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>',
);
const page = Buffer.from('<!doctype html><script>fetch("https://evil.example")</script>');

describe('a hostile document', () => {
  it.each([
    ['an SVG with a script', 'sketch.svg', svgWithScript, 'file_type_not_allowed'],
    ['an SVG named as a PNG', 'sketch.png', svgWithScript, 'file_type_mismatch'],
    ['a page', 'letter.html', page, 'file_type_not_allowed'],
    ['a page named as a PDF', 'letter.pdf', page, 'file_type_mismatch'],
    ['a program named as a PDF', 'report.pdf', Buffer.from('MZ\x90\x00'), 'file_type_mismatch'],
    ['named as a path', '../report.pdf', pdfWithScript, 'file_name_invalid'],
    ['a program', 'report.pdf.exe', Buffer.from('MZ\x90\x00'), 'file_type_not_allowed'],
  ])('that is %s is refused and leaves nothing behind', async (_what, name, content, code) => {
    const before = readdirSync(join(folder, 'blobs'), { recursive: true });
    await expect(take(name, content)).rejects.toMatchObject({ code });
    expect(readdirSync(join(folder, 'blobs'), { recursive: true })).toEqual(before);
  });

  it.each([
    ['a PDF with JavaScript', 'report.pdf', pdfWithScript],
    ['an image of 30,000 x 30,000', 'photo.png', makeHugePng()],
    [
      'a zip bomb',
      'photos.zip',
      Buffer.from(zipSync({ 'zeros.bin': new Uint8Array(20_000_000) }, { level: 9 })),
    ],
    [
      'a zip with path tricks',
      'tricks.zip',
      Buffer.from(zipSync({ '../../etc/passwd': Buffer.from('root') })),
    ],
  ])('that is %s stays the bytes that it is', async (_what, name, content) => {
    const { blobId, sizeBytes } = await take(name, content);
    expect(sizeBytes).toBe(content.length);
    expect((await stored(blobId)).equals(content)).toBe(true);
  });
});
