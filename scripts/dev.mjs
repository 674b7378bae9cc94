/**
 * Starts the desk with hot reload. Vite's server serves the window, and the desk behind it restarts
 * when its sources change. `npm run dev -- [options of npm start]`
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pagesPort = 5173;
const deskPort = 5180;
const desk = `http://127.0.0.1:${deskPort}`;

/** Rewrites the origin, because the desk accepts requests only from its own page. */
const target = {
  target: desk,
  changeOrigin: true,
  configure(proxy) {
    const pretend = (request) => request.setHeader('origin', desk);
    proxy.on('proxyReq', pretend);
    proxy.on('proxyReqWs', pretend);
  },
};

const shell = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    join(root, 'main/start.ts'),
    '--shell',
    'browser',
    '--no-open',
    '--port',
    String(deskPort),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);

const vite = await createServer({
  configFile: join(root, 'renderer/vite.config.ts'),
  server: {
    host: '127.0.0.1',
    port: pagesPort,
    strictPort: true,
    proxy: {
      '/session': target,
      '/tickets': target,
      '/files': target,
      '/contract': { ...target, ws: true },
    },
  },
});
await vite.listen();

for await (const line of createInterface({ input: shell.stdout })) {
  if (!line.startsWith('{"event":"ready"')) continue;
  const { hash } = new URL(JSON.parse(line).url);
  process.stdout.write(`http://127.0.0.1:${pagesPort}/${hash}\n`);
}
await vite.close();
