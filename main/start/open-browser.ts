import { spawn } from 'node:child_process';

/** The system's own way to open an address. */
export function openerOf(platform: NodeJS.Platform, url: string): [string, string[]] {
  if (platform === 'darwin') return ['open', [url]];
  // Not through cmd.exe, to which an address is a line of commands.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}

/** Opens an address in the person's browser; resolves with whether that was possible. */
export function openBrowser(url: string): Promise<boolean> {
  const [program, args] = openerOf(process.platform, url);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.unref();
  });
}
