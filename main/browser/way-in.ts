import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { sessionHeader } from '#shared/desk/file-headers.ts';
import type { BrowserShell } from './browser-shell.ts';

const wayInSchema = z.object({
  pid: z.int(),
  origin: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
  secret: z.string().min(1),
});
/** How a second start on a home reaches the desk that runs in it. */
type WayIn = z.infer<typeof wayInSchema>;

/** Leaves the way in for its owner alone. The desk opens even if the disk takes nothing. */
export function leaveWayIn(home: string, { origin, secret }: BrowserShell): void {
  const way: WayIn = { pid: process.pid, origin, secret };
  try {
    writeAnew(wayInFile(home), JSON.stringify(way));
  } catch {
    // A second start then reports that the home is in use.
  }
}

/** Takes the way in away, and a redirect that nobody has followed. */
export function closeWayIn(home: string): void {
  rmSync(wayInFile(home), { force: true });
  removeRedirect(home);
}

/** The port of a desk that ended without closing its way in; null if it closed it. */
export function formerPort(home: string): number | null {
  const way = readWayIn(wayInFile(home));
  return way && Number(new URL(way.origin).port);
}

/**
 * A new address of the desk that runs in this home.
 *
 * @param holder the process that has the home open: what another one left behind leads to nobody
 *   knows whom
 * @returns null if that is not a browser shell
 */
export async function inviteAgain(home: string, holder: number | null): Promise<string | null> {
  const way = holder === null ? null : readWayIn(wayInFile(home));
  if (way?.pid !== holder) return null;
  const headers = { origin: way.origin, [sessionHeader]: way.secret };
  try {
    const answer = await fetch(`${way.origin}/invitations`, { method: 'POST', headers });
    return z.object({ url: z.string() }).parse(await answer.json()).url;
  } catch {
    // It ends just now; who starts again finds the home free.
    return null;
  }
}

/**
 * A file that leads a browser to an address: a user who lists the programs of this machine sees the
 * file's name alone among a browser's arguments.
 *
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

/** A new file for its owner alone, so that nobody has it open already. */
function writeAnew(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}

const wayInFile = (home: string): string => join(ownDir(home), fileName(home, 'json'));
const redirectFile = (home: string): string => join(redirectDir(home), fileName(home, 'html'));

/** By the home, because two homes may share the folder. */
function fileName(home: string, ending: string): string {
  const digest = createHash('sha256').update(resolve(home)).digest('hex').slice(0, 16);
  return `appraiser-desk-${digest}.${ending}`;
}

/** On Windows a file has the rights of its folder; that of the user's profile is theirs alone. */
const ownDir = (home: string): string => (process.platform === 'win32' ? tmpdir() : home);

/** A browser from a snap, as Ubuntu's Firefox, reads no hidden folder; of the home it reads files. */
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
