import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomBytes } from 'node:crypto';
import { DeskError, diskProblem } from '#shared/desk/contract/errors.ts';

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
 * owner can read, and is removed at once. The program has no network, and runs nothing that is in
 * the document.
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
    await mkdir(join(place, 'profile', 'user'), { recursive: true });
    await writeFile(join(place, 'profile', 'user', 'registrymodifications.xcu'), settings);
    const profile = `-env:UserInstallation=${pathToFileURL(join(place, 'profile')).href}`;
    const order = ['--headless', '--norestore', '--convert-to', asPdfA, '--outdir', place];
    const alone = (await canUnshare()) ? ['unshare', ...unshared] : [];
    const [program = office, ...args] = [...alone, office, profile, ...order];
    await run(program, [...args, join(place, 'report.docx')], signal);
    return Uint8Array.from(await readFile(join(place, 'report.pdf')));
  } catch (cause) {
    throw diskProblem(cause) ?? new DeskError('pdf_not_made', { fileName }, { cause });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** PDF/A-2b, which stays readable for decades (ISO 19005-2). A LibreOffice before 7.4 makes a PDF. */
const asPdfA = 'pdf:writer_pdf_Export:{"SelectPdfVersion":{"type":"long","value":"2"}}';

/** Of its own space of networks, in which there is none. */
const unshared = ['--map-root-user', '--net', '--'];
let unsharing: Promise<boolean> | undefined;
/** Linux has such spaces; some systems forbid them to users. */
const canUnshare = (): Promise<boolean> =>
  (unsharing ??= new Promise((resolve) => {
    if (process.platform !== 'linux') resolve(false);
    else execFile('unshare', [...unshared, 'true'], (error) => resolve(error === null));
  }));

/** Nothing listens at this port: every address is refused. */
const nowhere = { host: '127.0.0.1', port: 9 };
const nowhereUrl = `http://${nowhere.host}:${nowhere.port}`;
const environment = {
  ...Object.fromEntries(
    ['http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy'].flatMap((name) => [
      [name, nowhereUrl],
      [name.toUpperCase(), nowhereUrl],
    ]),
  ),
  no_proxy: '',
  NO_PROXY: '',
};

const item = (path: string, name: string, value: string | number) =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;
const inet = 'Inet/Settings';
const scripting = 'Office.Common/Security/Scripting';
/** Settings of the profile: a proxy that refuses, no macros, nothing that a document links to. */
const settings =
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<oor:items xmlns:oor="http://openoffice.org/2001/registry">' +
  item(inet, 'ooInetProxyType', 2) +
  ['HTTP', 'HTTPS', 'FTP']
    .map(
      (kind) =>
        item(inet, `ooInet${kind}ProxyName`, nowhere.host) +
        item(inet, `ooInet${kind}ProxyPort`, nowhere.port),
    )
    .join('') +
  item(inet, 'ooInetNoProxy', '') +
  item(scripting, 'MacroSecurityLevel', 3) +
  item(scripting, 'DisableMacrosExecution', 'true') +
  item(scripting, 'DisableActiveContent', 'true') +
  item(scripting, 'BlockUntrustedRefererLinks', 'true') +
  item('Office.Writer/Content/Update', 'Link', 0) +
  '</oor:items>';

/** LibreOffice starts another program, which does the work: all of them end. */
async function run(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const isGroup = process.platform !== 'win32';
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { stdio: 'ignore', detached: isGroup, env });
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
