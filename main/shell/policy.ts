import { readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { DeskError } from '#shared/desk/errors.ts';
import { policySchema, type DeskPolicy } from './policy-schema.ts';
import {
  managedPolicy,
  thisSystem,
  type Environment,
  type PolicySystem,
} from './policy-sources.ts';

/** Where the operating system keeps what IT sets for everyone; DESK_POLICY names another file. */
function policyFile(env: Environment, platform: NodeJS.Platform): string {
  if (env['DESK_POLICY']) return env['DESK_POLICY'];
  if (platform === 'win32') {
    return win32.join(env['ProgramData'] ?? 'C:\\ProgramData', 'AppraiserDesk', 'policy.json');
  }
  if (platform === 'darwin') {
    return '/Library/Application Support/AppraiserDesk/policy.json';
  }
  return posix.join('/etc', 'appraiser-desk', 'policy.json');
}

/**
 * The policy of this machine; empty where there is none. What Group Policy or a configuration
 * profile sets wins over the file, value by value, whatever file DESK_POLICY names.
 * @throws {DeskError} policy_invalid with the source, the place in it and the rule that it breaks
 */
export function readPolicy(env: Environment, system: PolicySystem = thisSystem): DeskPolicy {
  const fileName = policyFile(env, system.platform);
  const fromFile = readFile(fileName);
  const managed = managedPolicy(env, system);
  if (managed === null) return fromFile;
  const { source, value } = managed;
  const fromSystem = check(source, value, () => null);
  return policySchema.parse(merged(fromFile, fromSystem));
}

/** The certificate authorities that a policy adds, PEM. */
export function policyCertificates(policy: DeskPolicy): string[] {
  return (policy.certificateFiles ?? []).map((fileName) => {
    const place = 'certificateFiles';
    let text: string;
    try {
      text = readFileSync(fileName, 'utf8');
    } catch {
      throw new DeskError('policy_invalid', { fileName, place, detail: 'unreadable' });
    }
    if (!text.includes('-----BEGIN CERTIFICATE-----')) {
      throw new DeskError('policy_invalid', { fileName, place, detail: 'no PEM certificate' });
    }
    return text;
  });
}

function readFile(fileName: string): DeskPolicy {
  let text: string;
  try {
    text = readFileSync(fileName, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new DeskError('policy_invalid', { fileName, place: '-', detail: 'unreadable' });
  }
  const faults: ParseError[] = [];
  const tree = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false });
  const [fault] = faults;
  if (fault || !tree) {
    const place = placeOf(text, fault?.offset ?? 0);
    const detail = fault ? printParseErrorCode(fault.error) : 'empty';
    throw new DeskError('policy_invalid', { fileName, place, detail });
  }
  return check(fileName, getNodeValue(tree), (path) => placeOf(text, offsetOf(tree, path)));
}

function check(
  fileName: string,
  value: unknown,
  place: (path: readonly PropertyKey[]) => string | null,
): DeskPolicy {
  const parsed = policySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...keys];
  const name = path.map(String).join('.');
  throw new DeskError('policy_invalid', {
    fileName,
    place: [place(path), name].filter(Boolean).join(' · ') || '-',
    detail: issue?.message ?? '-',
  });
}

/** Of the value at a path; of what holds it where the value itself is missing. */
function offsetOf(tree: Node, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path
      .slice(0, length)
      .map((step) => (typeof step === 'number' ? step : String(step)));
    const node = findNodeAtLocation(tree, steps);
    if (node) return node.offset;
  }
  return tree.offset;
}

/** Line and column, both from 1, as editors count them. */
function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${String(before.length)}:${String((before.at(-1)?.length ?? 0) + 1)}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above ?? below;
  const names = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...names].map((name) => [name, merged(below[name], above[name])]));
}
