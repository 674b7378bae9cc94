import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import { HeicMaker } from '#main/engine/photos/heic-maker.ts';
import {
  PictureStripper,
  type StripOrder,
  type StripReport,
} from '#main/engine/photos/picture-stripper.ts';
import { FileChecker, type FileFinding } from '#main/engine/readable/file-checker.ts';
import type { StoredAttachment } from '#main/engine/work/attachment-rows.ts';
import {
  assertRename,
  type Intake,
  readChecked,
  takeFile,
  takeRendition,
} from '#main/engine/work/take-file.ts';
import { makeJpeg } from '../../../support/sample-files.ts';
import { testFolder } from '../support/test-engine.ts';
import { faultLog } from '../../../support/fault-log.ts';

const pieceBytes = 1024 * 1024;

/** A file whose sender does not stop; counts the pieces that were asked for. */
function endless() {
  const asked = { pieces: 0 };
  async function* content() {
    const piece = new Uint8Array(pieceBytes).fill(0x61);
    while (asked.pieces < 1000) {
      asked.pieces += 1;
      yield await Promise.resolve(piece);
    }
  }
  return { content: content(), asked };
}

describe('a file that is too large', () => {
  it.each(['a.txt', 'a.pdf', 'a.jpg', 'without an extension'])(
    'is refused while it is read, and nothing over the limit is stored: %s',
    async (fileName) => {
      const { content, asked } = endless();
      let storedBytes = 0;
      const read = readChecked({ fileName, content }, new FileChecker(faultLog), (piece) => {
        storedBytes += piece.length;
      });
      await expect(read).rejects.toMatchObject({ code: 'file_too_large' });
      expect(asked.pieces).toBe(documentMaxBytes / pieceBytes + 1);
      expect(storedBytes).toBe(documentMaxBytes);
    },
  );
});

describe('a file that nobody opened to its end', () => {
  function readBy(script: string) {
    const entry = pathToFileURL(join(testFolder(), 'worker.mjs'));
    if (script !== '') writeFileSync(entry, script);
    const lines: unknown[] = [];
    const checker = new FileChecker({ error: (fields) => lines.push(fields) }, entry);
    onTestFinished(() => checker.close());
    const file = { fileName: 'a.txt', content: Readable.from([Buffer.from('Guten Tag')]) };
    return { read: readChecked(file, checker, () => undefined), lines };
  }

  it('is refused by its name if no thread could be started, and the log has each attempt', async () => {
    const { read, lines } = readBy('');
    await expect(read).rejects.toMatchObject({
      problem: { code: 'file_unchecked', params: { fileName: 'a.txt' } },
    });
    expect(lines).toHaveLength(2);
  });

  it('is refused as too heavy if it ends its reader', async () => {
    const { read, lines } = readBy(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => process.exit());`);
    await expect(read).rejects.toMatchObject({
      problem: { code: 'file_too_heavy', params: { fileName: 'a.txt' } },
    });
    expect(lines).toEqual([]);
  });

  it('is tried once more', async () => {
    const { read } = readBy(`
      import { existsSync, writeFileSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      const mark = new URL('./tried', import.meta.url);
      parentPort.on('message', ({ bytes }) => {
        if (existsSync(mark) && bytes.length === 9) parentPort.postMessage({ kind: 'readable' });
        else {
          writeFileSync(mark, '');
          throw new Error('no memory');
        }
      });`);
    expect(await read).toMatchObject({ fileName: 'a.txt', sizeBytes: 9 });
  });
});

/** A reader that says this of every file. */
class ReaderThatSays extends FileChecker {
  readonly #finding: FileFinding;

  constructor(finding: FileFinding) {
    super(faultLog);
    this.#finding = finding;
  }

  override check(): Promise<FileFinding> {
    return Promise.resolve(this.#finding);
  }
}

describe('what a reader says of a file', () => {
  const fileName = ' a.eml ';
  function readAs(finding: FileFinding) {
    const content = Readable.from([Buffer.from('From: '), Buffer.from('a@b.ch')]);
    return readChecked({ fileName, content }, new ReaderThatSays(finding), () => undefined);
  }

  it.each<[FileFinding, { code: string; params: object }]>([
    [
      { kind: 'damaged', rule: 'pdf_pages' },
      { code: 'pdf_damaged', params: { fileName } },
    ],
    [
      { kind: 'damaged', rule: 'mail_end' },
      { code: 'file_damaged', params: { fileName, rule: 'mail_end' } },
    ],
    [{ kind: 'empty' }, { code: 'file_empty', params: { fileName } }],
    [{ kind: 'unknownPacking' }, { code: 'file_kind', params: { fileName, rule: 'kind_packing' } }],
    [{ kind: 'severalMails' }, { code: 'file_kind', params: { fileName, rule: 'kind_mailbox' } }],
    [{ kind: 'tooHeavy' }, { code: 'file_too_heavy', params: { fileName } }],
  ])('refuses it: %o', async (report, problem) => {
    await expect(readAs(report)).rejects.toMatchObject({ problem });
  });

  it.each<[FileFinding, object]>([
    [{ kind: 'protected' }, { subject: null, found: { isProtected: true } }],
    [{ kind: 'unknownEncryption' }, { subject: null, found: {} }],
    [{ kind: 'readable' }, { subject: null, found: {} }],
    [
      { kind: 'readable', subject: 'Hagel' },
      { subject: 'Hagel', found: {} },
    ],
    [
      { kind: 'readable', innerFiles: 0 },
      { subject: null, found: { innerFiles: 0 } },
    ],
    [
      { kind: 'readable', looksDamaged: true, hidesAnswers: true },
      { subject: null, found: { looksDamaged: true, hidesAnswers: true } },
    ],
  ])('is noted, and the file is taken: %o', async (report, known) => {
    expect(await readAs(report)).toEqual({
      fileName: 'a.eml',
      sizeBytes: 12,
      contentType: 'message/rfc822',
      bytes: null,
      ...known,
    });
  });
});

describe('a picture that no window made ready', () => {
  const jpeg = makeJpeg(100);
  const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0heicmif1');
  const takenAt = '2026-03-01T10:00:00';
  const asIs: StripReport = { bytes: null, isBare: true, takenAt, looksDamaged: false };
  const bare = makeJpeg(10);
  const stripped: StripReport = { ...asIs, bytes: bare };
  const unread: StripReport = { ...asIs, isBare: false, takenAt: null, isUnread: true };
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  let dir: string;
  let workFiles: Intake['workFiles'];
  let asked: StripOrder[];
  beforeEach(async () => {
    asked = [];
    dir = testFolder();
    workFiles = await openFileBlobStore({ dir, key: Buffer.alloc(32, 7), now: () => 0 });
  });

  class Stripper extends PictureStripper {
    readonly #report: StripReport;

    constructor(report: StripReport) {
      super(faultLog);
      this.#report = report;
    }

    override strip(order: StripOrder): Promise<StripReport> {
      asked.push(order);
      return Promise.resolve(this.#report);
    }
  }

  class Maker extends HeicMaker {
    override make(): Promise<StripReport> {
      return Promise.resolve({ ...stripped, takenAt: null });
    }
  }

  const intake = (report: StripReport): Intake => ({
    workFiles,
    stripper: new Stripper(report),
    heics: new Maker(faultLog),
    checker: new ReaderThatSays({ kind: 'protected' }),
  });
  const incoming = (fileName: string, ...pieces: Buffer[]) => ({
    fileName,
    content: Readable.from(pieces),
  });
  const jpegFile = () => incoming('a.jpg', jpeg.subarray(0, 9), jpeg.subarray(9));
  const stored = (blobId: string) => buffer(workFiles.open(blobId));
  const sent = { contentType: 'image/jpeg', isSalvageSale: false, subject: null };

  it('is sent without what is not the picture, next to the file itself', async () => {
    const file = { ...jpegFile(), isSalvageSale: true };
    const taken = await takeFile(intake(stripped), file);
    const original = { fileName: 'a.jpg', contentType: 'image/jpeg', sizeBytes: jpeg.length };
    const content = { sha256: sha256(jpeg), subject: null, page: 0 };
    const found = { isBare: true, takenAt, looksDamaged: false };
    const { blobId = '' } = taken.found?.original ?? {};
    expect(taken).toEqual({
      ...sent,
      fileName: 'a.jpg',
      sizeBytes: bare.length,
      sha256: sha256(bare),
      blobId: taken.blobId,
      isSalvageSale: true,
      found: { ...found, original: { ...original, ...content, blobId } },
    });
    expect(await stored(taken.blobId)).toEqual(bare);
    expect(await stored(blobId)).toEqual(jpeg);
    expect(asked).toMatchObject([{ contentType: 'image/jpeg', isAlone: false }]);
  });

  it('is sent as it is if it is nothing but a picture, or was looked at', async () => {
    const file = { ...sent, fileName: 'a.jpg', sizeBytes: jpeg.length, sha256: sha256(jpeg) };
    const found = { isBare: true, looksDamaged: false };
    const taken = await takeFile(intake(asIs), jpegFile());
    expect(taken).toEqual({ ...file, blobId: taken.blobId, found: { ...found, takenAt } });
    for (const report of [stripped, unread]) {
      const seen = { ...jpegFile(), isSeen: true, isAlone: true };
      expect(await takeFile(intake(report), seen)).toEqual({ ...taken, found });
    }
    expect(await workFiles.list()).toHaveLength(1);
  });

  it('is not said to be bare if it could not be read, and refused if no window comes', async () => {
    expect(await takeFile(intake(unread), jpegFile())).toMatchObject({
      found: { isBare: false, takenAt: null },
    });
    await expect(takeFile(intake(unread), { ...jpegFile(), isAlone: true })).rejects.toMatchObject({
      problem: { code: 'file_unchecked', params: { fileName: 'a.jpg' } },
    });
    const refused = { ...asIs, isBare: false };
    expect(await takeFile(intake(refused), { ...jpegFile(), isAlone: true })).toMatchObject({
      found: { isBare: false },
    });
  });

  it('is made a JPEG if it is a HEIC and no window comes', async () => {
    const alone = { ...incoming('a.heic', heic), isAlone: true };
    expect(await takeFile(intake(asIs), alone)).toMatchObject({
      ...sent,
      fileName: 'a.jpg',
      sha256: sha256(bare),
      found: { takenAt: null, original: { fileName: 'a.heic', contentType: 'image/heic' } },
    });
    expect(asked).toEqual([]);
    const later = await takeFile(intake(asIs), incoming('a.heic', heic));
    expect(later).toMatchObject({ fileName: 'a.heic', found: { isBare: true } });
    expect(later.found?.original).toBeUndefined();
    expect(asked).toMatchObject([{ contentType: 'image/heic' }]);
  });

  it('has the extension of a JPEG if it is made one, and no other one than it had', async () => {
    const made = await takeFile(intake(asIs), { ...incoming('Foto', heic), isAlone: true });
    expect(made).toMatchObject({ fileName: 'Foto.jpg', found: { original: { fileName: 'Foto' } } });
    expect(await takeFile(intake(stripped), incoming('Foto', jpeg))).toMatchObject({
      fileName: 'Foto',
    });
  });

  it('is stripped also if no window comes and it is no HEIC', async () => {
    await takeFile(intake(stripped), { ...jpegFile(), isAlone: true });
    expect(asked).toMatchObject([{ contentType: 'image/jpeg', isAlone: true }]);
  });

  it('is asked only for a picture; of another file the reader is', async () => {
    const text = incoming('a.txt', Buffer.from('Guten Tag'));
    expect(await takeFile(intake(stripped), text)).toMatchObject({
      contentType: 'text/plain',
      found: { isProtected: true },
    });
    expect(asked).toEqual([]);
  });

  it('of a window is stored as it is, with nothing found in it', async () => {
    const taken = await takeRendition(intake(stripped), { ...jpegFile(), isSalvageSale: true });
    expect(taken).toEqual({
      ...sent,
      fileName: 'a.jpg',
      sizeBytes: jpeg.length,
      sha256: sha256(jpeg),
      blobId: taken.blobId,
      isSalvageSale: true,
    });
    expect(asked).toEqual([]);
  });

  it('that is refused leaves nothing behind', async () => {
    for (const take of [takeFile, takeRendition]) {
      const refused = async (fileName: string, ...pieces: Buffer[]) => {
        const taken = take(intake(asIs), incoming(fileName, ...pieces));
        return taken.catch((error: unknown) => (error instanceof DeskError ? error.code : error));
      };
      expect(await refused('a/b.jpg', jpeg)).toBe('file_name_invalid');
      expect(await refused('a.pdf', jpeg)).toBe('file_type_mismatch');
      expect(await refused('a.jpg')).toBe('file_empty');
    }
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('a new name of a file', () => {
  const attachment = { fileName: 'a.PDF', contentType: 'application/pdf' } as StoredAttachment;

  it('keeps its kind', () => {
    expect(() => assertRename(attachment, 'Rechnung.pdf')).not.toThrow();
    expect(() => assertRename(attachment, 'a.txt')).toThrow(
      expect.objectContaining({
        problem: {
          code: 'file_type_mismatch',
          params: { fileName: 'a.txt', contentType: 'application/pdf' },
        },
      }),
    );
    expect(() => assertRename(attachment, 'a/b.pdf')).toThrow(
      expect.objectContaining({ code: 'file_name_invalid' }),
    );
  });
});
