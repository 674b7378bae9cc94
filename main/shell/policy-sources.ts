import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import { policyLeaves, type PolicyLeaf } from '#main/engine/policy-schema.ts';

const policiesKey = 'HKLM\\SOFTWARE\\Policies';
/** Key of the Windows Group Policy; the templates of docs/it write it. */
export const registryKey = `${policiesKey}\\AppraiserDesk`;
/** Where macOS stores what a configuration profile manages, for the whole machine. */
export const managedPreferences = '/Library/Managed Preferences/ch.appraiserdesk.desk.plist';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of the system that a policy comes from. */
export interface PolicySystem {
  readonly platform: NodeJS.Platform;
  /** Runs a program of the system; what it printed. Throws if it ends with an error or hangs. */
  readonly ask: (program: string, args: readonly string[]) => string;
  /** Whether there is such a file. Throws if that cannot be read. */
  readonly has: (fileName: string) => boolean;
}

export const thisSystem: PolicySystem = {
  platform: process.platform,
  ask: (program, args) =>
    execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      timeout: 10_000,
    }),
  has: (fileName) => statSync(fileName, { throwIfNoEntry: false }) !== undefined,
};

/** What the operating system's own management sets, next to the file. */
export interface ManagedPolicy {
  readonly source: string;
  /** In the file's shape, not checked. */
  readonly value: unknown;
}

/**
 * Group Policy on Windows, managed preferences on macOS; null only if the key or the file is absent.
 *
 * @throws {DeskError} policy_invalid if it cannot be read what is managed
 */
export function managedPolicy(env: Environment, system: PolicySystem): ManagedPolicy | null {
  if (system.platform === 'win32') return groupPolicy(env, system);
  if (system.platform === 'darwin') return configurationProfile(system);
  return null;
}

function groupPolicy(env: Environment, { ask }: PolicySystem): ManagedPolicy | null {
  // By its full path: a bare name would be looked for in the current folder first.
  const reg = win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'reg.exe');
  const query = (...args: string[]) => sure(registryKey, reg, () => ask(reg, ['query', ...args]));
  // `reg query` says of a missing key and of one that may not be read the same, but in a sentence
  // of the system's language. The key above is on every Windows, and names what is beneath it.
  const names = query(policiesKey).split(/\r?\n/);
  const isManaged = names.some((line) => /^HKEY_.+\\Policies\\AppraiserDesk$/i.test(line.trim()));
  if (!isManaged) return null;
  return { source: registryKey, value: parseRegistry(query(registryKey, '/s')) };
}

function configurationProfile({ ask, has }: PolicySystem): ManagedPolicy | null {
  const plutil = '/usr/bin/plutil';
  const args = ['-convert', 'json', '-o', '-', managedPreferences];
  return sure(managedPreferences, plutil, () =>
    has(managedPreferences)
      ? { source: managedPreferences, value: JSON.parse(ask(plutil, args)) as unknown }
      : null,
  );
}

/** What a program said; a start that does not know what IT manages is none. */
function sure<T>(fileName: string, program: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const detail = `unreadable (${win32.basename(program)}: ${reasonOf(error)})`;
    throw new DeskError('policy_invalid', { fileName, place: '-', detail });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('status' in error && typeof error.status === 'number')
    return `exit code ${String(error.status)}`;
  return error.name;
}

const valueLine = /^ {4}(.+?) {4}REG_\w+ {4}(.*)$/;

/**
 * The output of `reg query KEY /s` in the file's shape. A value's name is its dotted name; lists and
 * maps have a key of their own. A name that is not of the schema stays, for the check to refuse.
 */
function parseRegistry(output: string): unknown {
  const leaves = new Map(policyLeaves().map((leaf) => [leaf.name, leaf]));
  const policy = new Map<string, unknown>();
  const toPolicy = (name: string, data: string) => {
    policy.set(name, valueOf(leaves.get(name), data));
  };
  let take = toPolicy;
  for (const line of output.split(/\r?\n/)) {
    if (line.startsWith('HKEY_')) take = collector(policy, leaves, line) ?? toPolicy;
    const [, name, data] = valueLine.exec(line) ?? [];
    if (name !== undefined && data !== undefined) take(name, data);
  }
  return nested(policy);
}

/** Takes the values beneath the key of a list or a map; null for any other key. */
function collector(
  policy: Map<string, unknown>,
  leaves: ReadonlyMap<string, PolicyLeaf>,
  key: string,
): ((name: string, data: string) => void) | null {
  const leaf = leaves.get(key.split('\\AppraiserDesk\\')[1] ?? '');
  if (leaf?.kind === 'list') {
    const list: string[] = [];
    policy.set(leaf.name, list);
    return (_number, data) => void list.push(data);
  }
  if (leaf?.kind === 'map') {
    const map = new Map<string, string>();
    return (name, data) => void policy.set(leaf.name, Object.fromEntries(map.set(name, data)));
  }
  return null;
}

function valueOf(leaf: PolicyLeaf | undefined, data: string): unknown {
  // What is no number stays as it is, for the check to refuse.
  if (!/^(?:0x[\da-f]+|\d+)$/i.test(data)) return data;
  const number = Number(data);
  if (leaf?.kind === 'number') return number;
  if (leaf?.kind === 'boolean' && number <= 1) return number === 1;
  return data;
}

function nested(policy: ReadonlyMap<string, unknown>): unknown {
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of policy) {
    const steps = name.split('.');
    const last = steps.pop() ?? name;
    let at = result;
    for (const step of steps) {
      const next = (at[step] ?? Object.create(null)) as Record<string, unknown>;
      at[step] = next;
      at = next;
    }
    at[last] = value;
  }
  return result;
}
