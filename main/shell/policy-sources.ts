import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { policyLeaves, type PolicyLeaf } from '#main/engine/policy-schema.ts';

const policiesKey = 'HKLM\\SOFTWARE\\Policies';
/** The registry key of the Windows Group Policy, which the templates of docs/it write. */
export const registryKey = `${policiesKey}\\AppraiserDesk`;
/** The file in which macOS stores the settings of a configuration profile for the whole machine. */
export const managedPreferences = '/Library/Managed Preferences/ch.appraiserdesk.desk.plist';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of the system from which a policy is read. */
export interface PolicySystem {
  readonly platform: NodeJS.Platform;
  /**
   * Runs a program of the system and returns its output. It throws if the program ends with an
   * error or hangs.
   */
  readonly ask: (program: string, args: readonly string[]) => string;
  /** Whether the file exists. It throws if this cannot be determined. */
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

/** The settings of the operating system's management, in addition to the file. */
export interface ManagedPolicy {
  readonly source: string;
  /** The settings in the form of the file, unchecked. */
  readonly value: unknown;
}

/**
 * Reads the Group Policy on Windows and the managed preferences on macOS; null only if the key or
 * the file is absent.
 * @throws {DeskError} policy_invalid if the settings cannot be read
 */
export function managedPolicy(env: Environment, system: PolicySystem): ManagedPolicy | null {
  if (system.platform === 'win32') return groupPolicy(env, system);
  if (system.platform === 'darwin') return configurationProfile(system);
  return null;
}

function groupPolicy(env: Environment, { ask }: PolicySystem): ManagedPolicy | null {
  // The program has its full path, because a bare name would first be searched in the current
  // folder.
  const reg = win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'reg.exe');
  const query = (...args: string[]) => sure(registryKey, reg, () => ask(reg, ['query', ...args]));
  // `reg query` reports a missing key and an unreadable one in the same way, except for a sentence
  // in the system's language. So the key above is queried, which exists on every Windows and lists
  // the keys beneath it.
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

/** Runs a program. If it fails, the start stops, because the desk must know the settings of IT. */
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

const valueLine = /^ {4}(.+?) {4}REG_\w+ {4}([^]*)$/;

/**
 * Converts the output of `reg query KEY /s` to the form of the file. A value's name is its dotted
 * name; lists and maps have separate keys. A name that is not in the schema stays, so that the
 * check refuses it.
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

/** Collects the values beneath the key of a list or a map; null for any other key. */
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
  // A value that is not a number stays unchanged, so that the check refuses it.
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
