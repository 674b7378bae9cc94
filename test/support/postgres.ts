import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { endsWithTests } from './children.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The folder with the socket of a PostgreSQL. It is set only if the store under test uses one.
     */
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
  /** The folder of the server's socket. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL with a new cluster in a temporary folder, with a socket in that folder and no
 * network port. The folder is removed at the end. The data need not survive, so the server does not
 * wait for the disk.
 */
export async function startPostgres(): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  const owner = clusterOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const run = { ...owner, cwd: folder };
  const initdb = ['--pgdata', data, '--username=service', '--auth=trust', '--no-sync'];
  execFileSync(postgresProgram('initdb'), [...initdb, '--encoding=UTF8', '--no-locale'], {
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
  const server = endsWithTests(
    spawn(
      postgresProgram('postgres'),
      [
        '-D',
        data,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...run, stdio: ['ignore', 'ignore', 'pipe'] },
    ),
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
  // Later output is not needed, but the pipe must be read.
  server.stderr.removeAllListeners('data').resume();
  const stop = async () => {
    const ended = once(server, 'exit');
    // Nobody needs the data, so the server stops at once without any cleanup.
    server.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, stop };
}

/**
 * Returns the user that runs the server. PostgreSQL refuses to run as root, and Debian's package
 * has a user for it.
 */
function clusterOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/**
 * Returns the path of a server program. Debian installs these outside of PATH, in a folder for each
 * version.
 */
export function postgresProgram(name: string): string {
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
