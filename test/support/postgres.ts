import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the socket of a PostgreSQL; only if the store under test is one. */
    postgresSocket: string | undefined;
  }
}

/** Starts a PostgreSQL for this run of the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { folder, stop } = await startPostgres();
  project.provide('postgresSocket', folder);
  return stop;
}

export interface RunningPostgres {
  /** Folder of its socket. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL: a new cluster in a temporary folder, with a socket in it and without a network
 * port, removed at the end. Its data need not survive, so it does not wait for the disk.
 */
export async function startPostgres(): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  const owner = clusterOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const run = { ...owner, cwd: folder };
  const initdb = ['--pgdata', data, '--username=service', '--auth=trust', '--no-sync'];
  execFileSync(program('initdb'), [...initdb, '--encoding=UTF8', '--no-locale'], {
    ...run,
    stdio: 'ignore',
  });
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '400',
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
  };
  const server = spawn(
    program('postgres'),
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...run, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
  });
  // Further output is not needed, but the pipe must be read.
  server.stderr.removeAllListeners('data').resume();
  const stop = async () => {
    const ended = once(server, 'exit');
    // At once: nobody needs what is in it, so nothing is brought into order first.
    server.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, stop };
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
function clusterOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Debian installs a server's programs outside the path, in a folder for each version. */
function program(name: string): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const folders = [
    ...newestFirst.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  const folder = folders.find((candidate) => existsSync(join(candidate, name)));
  if (folder === undefined) throw new Error(`there is no ${name}: PostgreSQL is not installed`);
  return join(folder, name);
}
