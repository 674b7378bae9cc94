import { spawn } from 'node:child_process';

/** The system's own way to open an address or a file, by the program that it has for it. */
export function openerOf(platform: NodeJS.Platform, target: string): [string, string[]] {
  if (platform === 'darwin') return ['open', [target]];
  // Not through cmd.exe, to which an address is a line of commands.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', target]];
  return ['xdg-open', [target]];
}

const openedAfterMs = 3000;

/** Opens an address or a file; resolves with whether that was possible. */
export function openWithSystem(target: string): Promise<boolean> {
  const [program, args] = openerOf(process.platform, target);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    // If the opener is the program itself, it ends when the person closes it.
    setTimeout(() => resolve(true), openedAfterMs).unref();
    child.unref();
  });
}
