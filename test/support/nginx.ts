import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endsWithTests } from './children.ts';
import { root } from './processes.ts';

/** The path of nginx, or undefined if this machine has none. Debian's package is nginx-light. */
export const nginxProgram = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find(
  (path) => existsSync(path),
);

/**
 * Returns `deploy/nginx/appraiser.conf` with other values.
 * @throws {Error} if the file lacks one of them
 */
export function proxyConfiguration(changes: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(root, 'deploy/nginx/appraiser.conf'), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the configuration has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Writes a complete configuration that uses nothing outside the folder. */
function writeConfiguration(folder: string, servers: string): string[] {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nginx.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  // If root starts nginx, its workers get another user, who may not write here.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    file,
    `${user} worker_processes 2; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
    events { worker_connections 512; }
    http { access_log off; ${places.join(' ')} ${servers} }`,
  );
  return ['-p', folder, '-c', file, '-e', join(folder, 'start.log')];
}

/** Returns the output of `nginx -t` about servers. It is empty if there is no complaint. */
export function complaintOfNginx(folder: string, servers: string): string {
  const args = [...writeConfiguration(folder, servers), '-t', '-q'];
  const { status, stderr } = spawnSync(nginxProgram ?? 'nginx', args, { encoding: 'utf8' });
  return status === 0 ? stderr.trim() : `status ${String(status)}: ${stderr}`;
}

/**
 * Starts nginx with servers.
 * @returns the function that stops it
 */
export async function startNginx(
  folder: string,
  servers: string,
  port: number,
): Promise<() => Promise<void>> {
  const args = [...writeConfiguration(folder, servers), '-g', 'daemon off;'];
  const nginx = endsWithTests(spawn(nginxProgram ?? 'nginx', args, { stdio: 'ignore' }));
  await listens(nginx, port);
  return async () => {
    const ended = once(nginx, 'exit');
    nginx.kill('SIGQUIT');
    await ended;
  };
}

async function listens(nginx: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (nginx.exitCode !== null) throw new Error('nginx did not start');
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await wait(20);
  }
}
