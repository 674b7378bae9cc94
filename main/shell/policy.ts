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
import type { Logger } from 'pino';
import { z } from 'zod';
import { de, en, fr, it } from 'zod/locales';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Language } from '#shared/desk/setup/workspace.ts';
import { decideLanguage, languagesOfEnvironment } from '#shared/i18n/language.ts';
import { assertNotSpecial } from '#main/engine/disk/regular-file.ts';
import type { EngineOptions } from '#main/engine/engine.ts';
import { policySchema, type DeskPolicy } from '#main/engine/policy-schema.ts';
import { policyCertificates } from './policy-certificates.ts';
import {
  managedPolicy,
  thisSystem,
  type Environment,
  type PolicySystem,
} from './policy-sources.ts';

/**
 * The file in which IT sets the policy for all users of the machine; DESK_POLICY names another
 * file.
 */
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

/** A setting that this version does not know. A later version may know it. */
export interface UnknownSetting {
  readonly fileName: string;
  readonly place: string;
}

export interface PolicyReading {
  readonly system?: PolicySystem;
  /**
   * Called for each setting that is ignored, so that a laptop that is not updated yet still starts.
   */
  readonly onUnknown?: (setting: UnknownSetting) => void;
  /** The language of the reasons; if absent, that of the environment. */
  readonly language?: Language | undefined;
}

/**
 * Reads the policy of this machine; empty if there is none. Values of Group Policy or a
 * configuration profile take precedence over the file, regardless of the file that DESK_POLICY
 * names.
 * @throws {DeskError} policy_invalid with the source, all places in it and the violated rules
 */
export function readPolicy(
  env: Environment,
  {
    system = thisSystem,
    onUnknown = () => undefined,
    language = decideLanguage({ system: languagesOfEnvironment(env) }),
  }: PolicyReading = {},
): DeskPolicy {
  const fileName = policyFile(env, system.platform);
  const fromFile = readFile(fileName, { onUnknown, language });
  const managed = managedPolicy(env, system);
  if (managed === null) return fromFile;
  const { source, value } = managed;
  if (isDeep(value, valuesOf, depthMax)) throw nestedTooDeep(source);
  const fromSystem = check(source, value, { placeAt: () => null, onUnknown, language });
  return policySchema.parse(merged(fromFile, fromSystem));
}

/**
 * Reads the policy of this machine for a shell. The log gets the level that IT set, and a line for
 * each unknown setting.
 * @throws {DeskError} policy_invalid
 */
export function readPolicyFor(log: Logger, language?: Language): DeskPolicy {
  const policy = readPolicy(process.env, {
    onUnknown: (setting) =>
      log.warn(setting, 'the policy holds a setting that this version does not know'),
    language,
  });
  log.level = policy.logLevel ?? log.level;
  return policy;
}

function readFile(fileName: string, reading: Omit<Check, 'placeAt'>): DeskPolicy {
  let text: string;
  try {
    assertNotSpecial(fileName);
    text = readFileSync(fileName, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new DeskError('policy_invalid', { fileName, place: '-', detail: 'unreadable' });
  }
  const { tree, fault, isTooDeep } = treeOf(text);
  if (isTooDeep) throw nestedTooDeep(fileName);
  if (fault || !tree) {
    const place = placeOf(text, fault?.offset ?? 0);
    const detail = fault ? `json (${printParseErrorCode(fault.error)})` : 'empty';
    throw new DeskError('policy_invalid', { fileName, place, detail });
  }
  const placeAt = (path: readonly PropertyKey[]) => placeOf(text, offsetOf(tree, path));
  return check(fileName, getNodeValue(tree), { ...reading, placeAt });
}

/** The most levels in a policy. The schema has three. */
const depthMax = 20;

/** Whether a tree has more levels than `max`. It is read level by level, without recursion. */
function isDeep<Item>(
  root: Item,
  childrenOf: (item: Item) => readonly Item[],
  max: number,
): boolean {
  let level: readonly Item[] = [root];
  for (let depth = 0; depth <= max; depth += 1) {
    if (level.length === 0) return false;
    level = level.flatMap(childrenOf);
  }
  return true;
}

const childrenOf = ({ children }: Node): readonly Node[] => children ?? [];
const valuesOf = (item: unknown): readonly unknown[] =>
  typeof item === 'object' && item !== null ? Object.values(item) : [];

const nestedTooDeep = (fileName: string) =>
  new DeskError('policy_invalid', { fileName, place: '-', detail: 'json (NestedTooDeep)' });

/** The parser is recursive, so a file that consists of brackets may exceed the stack. */
function treeOf(text: string) {
  const faults: ParseError[] = [];
  try {
    const tree = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false });
    // What the parser can still read may be too deep for the functions that read the tree.
    const isTooDeep = tree !== undefined && isDeep(tree, childrenOf, 2 * depthMax);

    return { tree, fault: faults[0], isTooDeep };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { tree: undefined, fault: undefined, isTooDeep: true };
  }
}

/** The library's sentences, one by one: all languages together are 280 KB that each start reads. */
const sentencesOf = { de, fr, it, en } satisfies Record<Language, unknown>;

interface Check {
  readonly placeAt: (path: readonly PropertyKey[]) => string | null;
  readonly onUnknown: (setting: UnknownSetting) => void;
  readonly language: Language;
}

function check(
  fileName: string,
  value: unknown,
  { placeAt, onUnknown, language }: Check,
): DeskPolicy {
  const parsed = policySchema.safeParse(value, { error: sentencesOf[language]().localeError });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const place = (path: readonly PropertyKey[]) =>
    [placeAt(path), path.map(String).join('.')].filter(Boolean).join(' · ') || '-';
  const faults = issues.filter(({ code }) => code !== 'unrecognized_keys');
  if (faults.length > 0) {
    throw new DeskError('policy_invalid', {
      fileName,
      place: faults.map(({ path }) => place(path)).join(', '),
      detail: faults.map(({ message }) => message).join('; '),
    });
  }
  const known = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const holder = issue.path.reduce<unknown>(
      (at, step) => isObject(at) && at[String(step)],
      known,
    );
    for (const key of issue.keys) {
      onUnknown({ fileName, place: place([...issue.path, key]) });
      if (isObject(holder)) Reflect.deleteProperty(holder, key);
    }
  }
  return policySchema.parse(known);
}

/** The offset of the value at a path; if the value is missing, that of its parent. */
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

/** The line and column, both from 1, as editors count them. */
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

/**
 * The options of an engine that follow from a policy, which are the same in every shell.
 * @throws {DeskError} policy_invalid if a certificate file cannot be used
 */
export function policyOptions(
  policy: DeskPolicy,
  log: Logger,
): Required<Pick<EngineOptions, 'policy' | 'network' | 'log' | 'onRequest'>> {
  return {
    policy,
    network: { certificateAuthorities: policyCertificates(policy).map(String) },
    // The partner's server may put any text into its correlation id.
    log,
    onRequest: ({ correlationId, ...entry }) =>
      log.info(
        { ...entry, correlationId: z.uuid().safeParse(correlationId).data ?? null },
        'request',
      ),
  };
}
