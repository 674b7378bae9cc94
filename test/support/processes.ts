import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { endsWithTests } from './children.ts';
import { freePort } from './ports.ts';
import { checkAgainstContract } from '../main/service/support/openapi-contract.ts';

/** The project's programs run as their users start them, but without npm in between. */
export const root = join(import.meta.dirname, '../..');

const credentialSchema = z.object({
  organizationId: z.string(),
  clientId: z.string(),
  privateKeyPem: z.string(),
});
export const credentialsFileSchema = z.object({
  baseUrl: z.string(),
  audience: z.string(),
  insurer: credentialSchema,
  expert: credentialSchema,
  backoffice: z.object({ token: z.string() }),
});
export type CredentialsFile = z.infer<typeof credentialsFileSchema>;

const listeningSchema = z.strictObject({
  event: z.literal('listening'),
  baseUrl: z.string(),
  tokenUrl: z.string(),
  audience: z.string(),
  credentials: z.string(),
  statusUrl: z.string().optional(),
});

const gatewayListeningSchema = listeningSchema.omit({ credentials: true });

const readySchema = z.object({
  event: z.literal('ready'),
  shell: z.literal('browser'),
  url: z.string(),
  pid: z.int(),
});

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'desk-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/**
 * Resolves with the first line of stdout that is a JSON object with an `event`. Rejects with all of
 * stderr if there is none.
 */
async function firstEvent(child: ChildProcess): Promise<unknown> {
  if (!child.stdout || !child.stderr) throw new Error('the process has no pipes');
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{"event":')) {
      child.stdout.resume();
      return JSON.parse(line);
    }
  }
  throw new Error(`the process ended before it was ready: ${stderr}`);
}

/**
 * Sends a signal and waits for the exit. Resolves with the exit code, or null after SIGKILL.
 * Windows has neither signal, so the process is killed there and its exit code has no meaning.
 */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  return process.platform === 'win32' && signal === 'SIGTERM' ? 0 : child.exitCode;
}

export interface RunningService {
  /** The line that the service has printed. */
  readonly listening: z.infer<typeof listeningSchema>;
  readonly baseUrl: string;
  readonly credentialsPath: string;
  readonly credentials: CredentialsFile;
  readonly port: number;
  readonly pid: number;
  /** Returns the log on stderr so far, one JSON object per line. */
  log(): string;
  stop(): Promise<number | null>;
  kill(): Promise<number | null>;
}

/** Starts the partner service as a separate process, from its sources or from `program`. */
export async function startService(
  options: { dataDir: string; args?: readonly string[]; program?: readonly string[] } = {
    dataDir: '',
  },
): Promise<RunningService> {
  const sources = [process.execPath, join(root, 'main/service/server.ts')];
  const [command = '', ...program] = options.program ?? sources;
  const args = [...program, '--data', options.dataDir, ...(options.args ?? [])];
  const child = endsWithTests(
    spawn(command, args, {
      cwd: options.dataDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const listening = listeningSchema.parse(await firstEvent(child));
  // The process may have a separate disk, which only the process itself sees at this path.
  const seen = join('/proc', String(child.pid), 'root', listening.credentials);
  const credentialsText = readFileSync(existsSync(seen) ? seen : listening.credentials, 'utf8');
  holdWhereTested(listening.baseUrl);
  return {
    listening,
    baseUrl: listening.baseUrl,
    credentialsPath: listening.credentials,
    credentials: credentialsFileSchema.parse(JSON.parse(credentialsText)),
    port: Number(new URL(listening.baseUrl).port),
    pid: child.pid ?? 0,
    log: () => log,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

export interface ServiceFolder {
  readonly path: string;
  /** Returns a path in the folder. */
  readonly at: (...names: readonly string[]) => string;
  /** The environment of desks if the service has other limits (`--limits xN`). */
  readonly ownLimits: { readonly DESK_POLICY: string };
  /**
   * Starts the service with its data in `service`. After a stop it starts again with the same data
   * and on the same port, because another address would be another partner.
   */
  readonly start: (...args: readonly string[]) => Promise<RunningService>;
  /** Stops the service and removes the folder. */
  readonly end: () => Promise<void>;
}

/** Creates a temporary folder with the data of a service, and space for desks. */
export function serviceFolder(): ServiceFolder {
  const { path, remove } = temporaryFolder();
  const at = (...names: readonly string[]) => join(path, ...names);
  let service: RunningService | undefined;
  let port: number | undefined;
  return {
    path,
    at,
    ownLimits: { DESK_POLICY: writePolicyWithoutLimits(path) },
    async start(...args) {
      const dataDir = at('service');
      mkdirSync(dataDir, { recursive: true });
      port ??= await freePort();
      service = await startService({ dataDir, args: ['--port', String(port), ...args] });
      return service;
    },
    async end() {
      await service?.stop();
      remove();
    },
  };
}

export interface RunningGatewayProcess {
  readonly baseUrl: string;
  readonly pid: number;
  stop(): Promise<number | null>;
  kill(): Promise<number | null>;
}

const gatewaySources = [process.execPath, join(root, 'main/gateway/server.ts')];

/**
 * Starts the office gateway as a separate process.
 * @throws {Error} with its stderr if it does not listen
 */
export async function startGatewayProcess(
  args: readonly string[],
  [command = '', ...program]: readonly string[] = gatewaySources,
): Promise<RunningGatewayProcess> {
  const child = endsWithTests(
    spawn(command, [...program, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const { baseUrl } = gatewayListeningSchema.parse(await firstEvent(child));
  return {
    baseUrl,
    pid: child.pid ?? 0,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Benchmarks also start services, and must not measure the check of the answers. */
function holdWhereTested(baseUrl: string): void {
  if (process.env['VITEST'] === undefined) return;
  checkAgainstContract(baseUrl, async (): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/openapi.json`);
    return response.json();
  });
}

export interface RunningDesk {
  readonly url: string;
  stop(): Promise<number | null>;
  kill(): Promise<number | null>;
}

/** Starts the desk in the browser shell (`npm start -- --shell browser --no-open`). */
export async function startDesk(options: {
  home: string;
  args?: readonly string[];
  /** Variables that are added to the environment. */
  env?: Readonly<Record<string, string>>;
}): Promise<RunningDesk> {
  const args = [join(root, 'main/start.ts'), '--shell', 'browser', '--no-open'];
  const child = endsWithTests(
    spawn(process.execPath, [...args, '--home', options.home, ...(options.args ?? [])], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
    }),
  );
  const ready = readySchema.parse(await firstEvent(child));
  return { url: ready.url, stop: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') };
}

/**
 * Writes a policy file for partners whose limits are not the published ones (`--limits xN`), for
 * DESK_POLICY. Without it the desk paces itself to the published limits.
 */
export function writePolicyWithoutLimits(dir: string): string {
  const path = join(dir, 'unlimited.json');
  const unlimited = { capacity: 10_000, refillPerMinute: 600_000 };
  writeFileSync(path, JSON.stringify({ limits: { standard: unlimited, documents: unlimited } }));
  return path;
}

export interface DeskRun {
  readonly code: number | null;
  readonly stderr: string;
  /** The last line of stdout. */
  readonly line: string;
  /** Parses that line as JSON and checks it with the caller's schema. */
  json<T>(schema: z.ZodType<T>): T;
}

/** Runs one command of the command line (`npm run desk -- --json ...`). */
export async function runDesk(home: string, ...args: string[]): Promise<DeskRun> {
  const child = endsWithTests(
    spawn(process.execPath, [join(root, 'main/cli/desk.ts'), '--home', home, '--json', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  return {
    code: child.exitCode,
    stderr,
    line,
    json: (schema) => schema.parse(JSON.parse(line)),
  };
}

/**
 * Returns the options that start a browser: the one that `CHROMIUM` names, or else the first
 * existing one of these paths, or else Chrome, which Playwright finds itself.
 */
export function chromiumAt(...paths: readonly string[]) {
  const named = process.env['CHROMIUM'];
  const found = [...(named === undefined ? [] : [named]), ...paths].find((path) =>
    existsSync(path),
  );
  return {
    ...(found === undefined ? { channel: 'chrome' } : { executablePath: found }),
    // Chromium has no sandbox for root, but for all other users.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  };
}
