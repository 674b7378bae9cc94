import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Asks for a secret on the terminal without showing what is typed.
 * @returns null where nobody is there to be asked, or they pressed Ctrl+C or Ctrl+D
 */
export async function askSecret(question: string, signal: AbortSignal): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    const ended = new Promise<null>((resolve) => {
      lines.once('close', () => resolve(null));
      lines.once('SIGINT', () => resolve(null));
    });
    return await Promise.race([lines.question('', { signal }).catch(() => null), ended]);
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
