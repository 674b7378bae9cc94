import { z } from 'zod';
import type { BrowserShell } from '#main/browser/browser-shell.ts';

/** The secret of a page that has come to the browser shell by a new address. */
export async function openSession(shell: BrowserShell): Promise<string> {
  const { origin, hash } = new URL(shell.invite());
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice('#token='.length) }),
  });
  return z.object({ session: z.string() }).parse(await answer.json()).session;
}
