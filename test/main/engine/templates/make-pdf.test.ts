import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePdf } from '#main/engine/templates/make-pdf.ts';
import { testFolder } from '../support/test-engine.ts';

/** Whether a process runs; one that has ended may wait to be fetched by its parent. */
function isRunning(pid: number): boolean {
  const state =
    process.platform === 'linux'
      ? /\) (\w) /.exec(statusOnLinux(pid))?.[1]
      : spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== undefined && /^[^ZX]/.test(state);
}

/** Without `ps`, which small images lack; empty if the process is fetched. */
function statusOnLinux(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}

/** A program in the place of LibreOffice. */
function officeOf(dir: string, script: string): string {
  const office = join(dir, 'soffice');
  writeFileSync(office, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return office;
}

describe.skipIf(process.platform === 'win32')('the program that makes a PDF', () => {
  it('is ended with every program that it started', async () => {
    const dir = testFolder();
    const note = join(dir, 'started');
    const office = officeOf(
      dir,
      `sleep 1000 & echo $! > ${note}.new; mv ${note}.new ${note}; wait`,
    );
    const ended = new AbortController();
    const copies = join(dir, 'copies');
    const watcher = watch(dir);
    const making = makePdf(Buffer.from('docx'), {
      ...{ dir: copies, fileName: 'Report.docx', office, signal: ended.signal },
    });
    while (!existsSync(note)) await once(watcher, 'change');
    watcher.close();
    const started = Number(readFileSync(note, 'utf8'));
    expect(isRunning(started)).toBe(true);
    ended.abort();
    await expect(making).rejects.toMatchObject({ code: 'pdf_not_made' });
    await expect.poll(() => isRunning(started)).toBe(false);
    expect(readdirSync(copies)).toEqual([]);
  });

  it('leaves no copy if it fails or cannot be started', async () => {
    const dir = testFolder();
    const copies = join(dir, 'copies');
    for (const office of [officeOf(dir, 'exit 3'), join(dir, 'missing')]) {
      const making = makePdf(Buffer.from('docx'), { dir: copies, fileName: 'R.docx', office });
      await expect(making).rejects.toMatchObject({ code: 'pdf_not_made' });
      expect(readdirSync(copies)).toEqual([]);
    }
  });
});
