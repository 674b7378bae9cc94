import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOffice, makePdf } from '#main/engine/templates/make-pdf.ts';
import { lookAtPdf } from '#main/engine/templates/one-pdf/look-at-pdf.ts';
import { endsWithTests } from '../../../support/children.ts';
import { makeDocx, paragraph } from '../../../support/word-documents.ts';
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

async function exitOf(program: string): Promise<unknown> {
  const [code] = (await once(endsWithTests(spawn(program)), 'exit')) as unknown[];
  return code;
}

/** A program in the place of LibreOffice. */
function officeOf(dir: string, script: string): string {
  const office = join(dir, 'soffice');
  writeFileSync(office, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return office;
}

/** Whether this system gives a program a space of networks of its own. */
const hasSpaces =
  process.platform === 'linux' && spawnSync('unshare', ['-rn', 'true']).status === 0;

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
      dir: copies,
      fileName: 'Report.docx',
      office,
      signal: ended.signal,
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

  it('has a proxy that refuses, and a profile that runs and loads nothing', async () => {
    const dir = testFolder();
    const note = join(dir, 'note');
    const profile = 'profile=$(echo "$1" | sed "s,.*file://,,")';
    const script = `${profile}; env > ${note}; cat "$profile/user/registrymodifications.xcu" >> ${note}; exit 3`;
    const making = makePdf(Buffer.from('docx'), {
      dir: join(dir, 'copies'),
      fileName: 'R.docx',
      office: officeOf(dir, script),
    });
    await expect(making).rejects.toMatchObject({ code: 'pdf_not_made' });
    const noted = readFileSync(note, 'utf8');
    for (const name of ['http_proxy', 'HTTPS_PROXY', 'all_proxy'])
      expect(noted).toContain(`${name}=http://127.0.0.1:9\n`);
    expect(noted).toMatch(/^no_proxy=$/m);
    for (const setting of [
      'ooInetHTTPSProxyName',
      'DisableMacrosExecution',
      'DisableActiveContent',
    ])
      expect(noted).toContain(`"${setting}"`);
  });

  it.skipIf(!hasSpaces)('reaches no server, whatever it asks for', async () => {
    const dir = testFolder();
    const asked: string[] = [];
    const canary = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await once(canary.listen(0, '127.0.0.1'), 'listening');
    const address = canary.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const ask = `"${process.execPath}" -e 'fetch("http://127.0.0.1:${port}/picture.png").then(() => process.exit(0), () => process.exit(3))'`;
    // The server answers a program of this machine that has a network.
    expect(await exitOf(officeOf(dir, ask))).toBe(0);
    expect(asked).toEqual(['/picture.png']);
    const making = makePdf(Buffer.from('docx'), {
      dir: join(dir, 'copies'),
      fileName: 'R.docx',
      office: officeOf(dir, ask),
    });
    await expect(making).rejects.toMatchObject({ code: 'pdf_not_made' });
    expect(asked).toEqual(['/picture.png']);
    canary.close();
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
  const title = 'LibreOffice itself asks no server for what a document links to';
  const office = findOffice();
  if (office === null) it.skip(`${title}: LibreOffice is not installed`);
  else
    it(title, async () => {
      const dir = testFolder();
      const asked: string[] = [];
      const canary = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.end();
      });
      await once(canary.listen(0, '127.0.0.1'), 'listening');
      const address = canary.address();
      const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
      const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
      const link = (id: string, type: string, to: string) =>
        `<Relationship Id="${id}" Type="${relations}/${type}" Target="${base}/${to}" TargetMode="External"/>`;
      const picture =
        '<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape style="width:90pt;height:90pt">' +
        '<v:imagedata r:id="x1"/></v:shape></w:pict></w:r></w:p>';
      const field = `<w:p><w:fldSimple w:instr="INCLUDEPICTURE &quot;${base}/field.png&quot; \\d"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>`;
      const docx = makeDocx(paragraph('Gutachten 4711') + picture + field, {
        relations: link('x1', 'image', 'picture.png') + link('x2', 'attachedTemplate', 'n.dotx'),
      });
      const pdf = await makePdf(docx, { dir: join(dir, 'copies'), fileName: 'R.docx' });
      const text = Buffer.from(pdf).toString('latin1');
      expect(text).toContain('<pdfaid:part>2</pdfaid:part>');
      expect((await lookAtPdf(pdf)).pages.join()).toContain('Gutachten 4711');
      expect(asked).toEqual([]);
      canary.close();
    });
});
