import { execFileSync } from 'node:child_process';
import { policyLeaves, type PolicyLeaf } from './policy-leaves.ts';

/** Key of the Windows Group Policy; the templates of docs/it write it. */
export const registryKey = 'HKLM\\SOFTWARE\\Policies\\AppraiserDesk';
/** Where macOS keeps what a configuration profile manages, for the whole machine. */
export const managedPreferences = '/Library/Managed Preferences/ch.appraiserdesk.desk.plist';

/** Runs a program of the system; what it printed, or null where it ended with an error. */
export type AskSystem = (program: string, args: readonly string[]) => string | null;

export const askSystem: AskSystem = (program, args) => {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      timeout: 10_000,
    });
  } catch {
    return null;
  }
};

/** What the operating system's own management sets, beside the file. */
export interface ManagedPolicy {
  readonly source: string;
  /** In the file's shape, not checked. */
  readonly value: unknown;
}

/** Group Policy on Windows, managed preferences on macOS; null where nothing is managed. */
export function managedPolicy(platform: NodeJS.Platform, ask: AskSystem): ManagedPolicy | null {
  if (platform === 'win32') {
    const answer = ask('reg.exe', ['query', registryKey, '/s']);
    return answer === null ? null : { source: registryKey, value: parseRegistry(answer) };
  }
  if (platform === 'darwin') {
    const args = ['-convert', 'json', '-o', '-', managedPreferences];
    const answer = ask('/usr/bin/plutil', args);
    return answer === null
      ? null
      : { source: managedPreferences, value: JSON.parse(answer) as unknown };
  }
  return null;
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
  if (leaf?.kind === 'number') return Number(data);
  if (leaf?.kind === 'boolean') return Number(data) === 1;
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
