import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems take ports above this range for connections and for listeners that name no port (Linux
 * from 32768, macOS and Windows from 49152). A port that a stopped server needs again must not be
 * among them, because any connection of another test could have it meanwhile.
 */
const range = { first: 10_000, after: 32_768 };
/** Processes that run beside each other have other ids, so they try other ports first. */
const perProcess = 20;
let next = process.pid * perProcess;

/** Returns a port on which nothing listens, and which the system gives to nobody unasked. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = range.first + (next++ % (range.after - range.first));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
