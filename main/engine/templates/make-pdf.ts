import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomBytes } from 'node:crypto';
import { DeskError, diskProblem } from '#shared/desk/errors.ts';

const timeoutMs = 120_000;

/** Where LibreOffice lies if the path of programs does not name it. */
const usualPlaces: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['/Applications/LibreOffice.app/Contents/MacOS/soffice'],
  win32: [
    String.raw`C:\Program Files\LibreOffice\program\soffice.exe`,
    String.raw`C:\Program Files (x86)\LibreOffice\program\soffice.exe`,
  ],
};

/** LibreOffice of this device; null if it is not installed. */
export function findOffice(
  path = process.env['PATH'] ?? '',
  platform: NodeJS.Platform = process.platform,
): string | null {
  const name = platform === 'win32' ? 'soffice.exe' : 'soffice';
  const onPath = path.split(delimiter).flatMap((dir) => (dir === '' ? [] : join(dir, name)));
  const places = [...onPath, ...(usualPlaces[platform] ?? [])];
  return places.find((place) => existsSync(place)) ?? null;
}

/**
 * A document as PDF, by LibreOffice, which needs a file: the copy lies in a folder that only its
 * owner can read, and is removed at once.
 * @param dir folder for the copy, created if missing
 * @param signal ends the program
 * @throws {DeskError} pdf_program_missing, pdf_not_made, disk_full
 */
export async function makePdf(
  bytes: Uint8Array,
  {
    dir,
    fileName,
    office = findOffice(),
    signal = AbortSignal.timeout(timeoutMs),
  }: { dir: string; fileName: string; office?: string | null; signal?: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  if (office === null) throw new DeskError('pdf_program_missing');
  const place = join(dir, randomBytes(8).toString('hex'));
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    await writeFile(join(place, 'report.docx'), bytes, { mode: 0o600 });
    // Its own profile: a LibreOffice that the user has open would take the order and not do it.
    const profile = `-env:UserInstallation=${pathToFileURL(join(place, 'profile')).href}`;
    const order = ['--headless', '--norestore', '--convert-to', 'pdf', '--outdir', place];
    await run(office, [profile, ...order, join(place, 'report.docx')], signal);
    return Uint8Array.from(await readFile(join(place, 'report.pdf')));
  } catch (cause) {
    throw diskProblem(cause) ?? new DeskError('pdf_not_made', { fileName }, { cause });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** LibreOffice starts another program, which does the work: all of them end. */
async function run(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const isGroup = process.platform !== 'win32';
  const child = spawn(program, args, { stdio: 'ignore', detached: isGroup });
  const end = () => {
    if (child.pid !== undefined && isGroup) endGroup(child.pid);
    else child.kill('SIGKILL');
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the program ended with ${String(code)}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
