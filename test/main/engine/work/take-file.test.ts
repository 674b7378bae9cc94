import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { FileChecker } from '#main/engine/readable/file-checker.ts';
import { readChecked } from '#main/engine/work/take-file.ts';
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
