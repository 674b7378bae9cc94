import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { WebSocket } from 'ws';
import { ask, proveToEngine } from '#shared/desk/contract/page-proof.ts';
import type { BrowserShell } from './browser-shell.ts';
import { createSecret, sign } from './sessions.ts';

const wayInSchema = z.object({
  pid: z.int(),
  origin: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
  secret: z.string().min(1),
});
/** The data with which a second start on a home reaches the desk that runs there. */
type WayIn = z.infer<typeof wayInSchema>;

/**
 * Writes the file for a second start, readable by the owner only. If the disk is full, the desk
 * still opens.
 */
export function leaveWayIn(
  home: string,
  { origin, secret }: Pick<BrowserShell, 'origin' | 'secret'>,
): void {
  const way: WayIn = { pid: process.pid, origin, secret };
  try {
    writeAnew(wayInFile(home), JSON.stringify(way));
  } catch {
    // A second start then reports that the home is in use.
  }
}

/** Removes the file for a second start, and a redirect that nobody has followed. */
export function closeWayIn(home: string): void {
  rmSync(wayInFile(home), { force: true });
  removeRedirect(home);
}

const portsSchema = z.array(z.int());
/** The number of stored ports, which suffices for a few years of starts. */
const portsMax = 4000;

/** The ports of earlier desks of this home. A stranger may have used each of them since. */
export function formerPorts(home: string): readonly number[] {
  try {
    return portsSchema.parse(JSON.parse(readFileSync(portsFile(home), 'utf8')));
  } catch {
    // There was no earlier start, or its port cannot be read.
    return [];
  }
}

/** Notes the port of this start for the next ones. */
export function notePort(home: string, { origin }: Pick<BrowserShell, 'origin'>): void {
  const ports = [...new Set([...formerPorts(home), Number(new URL(origin).port)])];
  try {
    writeAnew(portsFile(home), JSON.stringify(ports.slice(-portsMax)));
  } catch {
    // If the disk is full, the desk still opens, and its next name is also new.
  }
}

/** The timeout for the other desk, which answers immediately if it runs. */
const answerWithinMs = 5_000;

/**
 * Requests a new address of the desk that runs in this home. The secret in the file proves each end
 * to the other and is not sent, because another program may have the port now.
 * @param holder the process that has the home open; a file of another process is out of date
 * @returns null if the process is not a browser shell
 */
export async function inviteAgain(home: string, holder: number | null): Promise<string | null> {
  const way = holder === null ? null : readWayIn(wayInFile(home));
  if (way?.pid !== holder) return null;
  const { origin, host } = new URL(way.origin);
  const socket = new WebSocket(`ws://${host}/invitation`, { headers: { origin } });
  const late = setTimeout(() => socket.terminate(), answerWithinMs);
  try {
    await once(socket, 'open');
    const side = { purpose: 'invitation', authority: host, number: createSecret(), sign } as const;
    await proveToEngine(socket, way.secret, side);
    const { url } = await ask(socket, { wants: 'address' });
    return url ?? null;
  } catch {
    // The other desk is closing; after this the user can start again.
    return null;
  } finally {
    clearTimeout(late);
    socket.terminate();
  }
}

/**
 * Writes a file that redirects a browser to an address. Another user who lists the programs of this
 * machine sees only the name of the file in the browser's arguments.
 * @returns its path
 */
export function writeRedirect(home: string, url: string): string {
  const path = redirectFile(home);
  writeAnew(
    path,
    `<!doctype html><meta charset="utf-8"><title>Appraiser Desk</title><meta http-equiv="refresh" content="0;url=${url}">`,
  );
  return path;
}

export function removeRedirect(home: string): void {
  rmSync(redirectFile(home), { force: true });
}

/** Writes a new file for its owner only, so that nobody can have it open already. */
function writeAnew(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}

/** The name does not contain the home's name, because the file is inside the home. */
const portsFile = (home: string): string => join(home, 'browser-ports.json');
const wayInFile = (home: string): string => join(ownDir(home), fileName(home, 'json'));
const redirectFile = (home: string): string => join(redirectDir(home), fileName(home, 'html'));

/** The name depends on the home, because two homes may share the folder. */
function fileName(home: string, ending: string): string {
  const digest = createHash('sha256').update(resolve(home)).digest('hex').slice(0, 16);
  return `appraiser-desk-${digest}.${ending}`;
}

/**
 * The folder for own files. On Windows a file inherits the rights of its folder, and that of the
 * user's profile belongs to the user only.
 */
const ownDir = (home: string): string => (process.platform === 'win32' ? tmpdir() : home);

/**
 * The folder for redirects. A browser from a snap, such as Ubuntu's Firefox, cannot read hidden
 * folders, but it can read files in the home folder.
 */
function redirectDir(home: string): string {
  const isSnapped = process.platform === 'linux' && existsSync(join(homedir(), 'snap'));
  return isSnapped ? homedir() : ownDir(home);
}

function readWayIn(file: string): WayIn | null {
  try {
    return wayInSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
