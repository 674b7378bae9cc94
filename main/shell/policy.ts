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
import { locales, z } from 'zod';
import { DeskError } from '#shared/desk/errors.ts';
import type { Language } from '#shared/desk/workspace.ts';
import { decideLanguage, languagesOfEnvironment } from '#shared/i18n/language.ts';
import { assertNotSpecial } from '#main/engine/disk/regular-file.ts';
import type { EngineOptions } from '#main/engine/engine.ts';
import { policySchema, type DeskPolicy } from '#main/engine/policy-schema.ts';
import {
  managedPolicy,
  thisSystem,
  type Environment,
  type PolicySystem,
} from './policy-sources.ts';

/** Where the operating system stores what IT sets for everyone; DESK_POLICY names another file. */
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

/** A setting of a policy that this version does not know: a later one may. */
export interface UnknownSetting {
  readonly fileName: string;
  readonly place: string;
}

export interface PolicyReading {
  readonly system?: PolicySystem;
  /** Told of each setting that is passed over, so that a laptop not yet updated still starts. */
  readonly onUnknown?: (setting: UnknownSetting) => void;
  /** Of the reasons; the environment's if absent. */
  readonly language?: Language | undefined;
}

/**
 * The policy of this machine; empty if there is none. What Group Policy or a configuration
 * profile sets wins over the file, value by value, regardless of the file that DESK_POLICY names.
 * @throws {DeskError} policy_invalid with the source, all places in it and the rules that they break
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
  const fromSystem = check(source, value, { placeAt: () => null, onUnknown, language });
  return policySchema.parse(merged(fromFile, fromSystem));
}

/**
 * The policy of this machine, for a shell: its log takes the level that IT wants, and is told of
 * what this version does not know.
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

/** The certificate authorities that a policy adds, PEM. */
export function policyCertificates(policy: DeskPolicy): string[] {
  const read = (policy.certificateFiles ?? []).map((fileName) => {
    try {
      assertNotSpecial(fileName);
      const text = readFileSync(fileName, 'utf8');
      const isPem = text.includes('-----BEGIN CERTIFICATE-----');
      return { fileName, text, fault: isPem ? null : 'no_certificate' };
    } catch {
      return { fileName, text: '', fault: 'unreadable' };
    }
  });
  const faults = read.filter(({ fault }) => fault !== null);
  if (faults.length > 0) {
    throw new DeskError('policy_invalid', {
      fileName: faults.map(({ fileName }) => fileName).join(', '),
      place: 'certificateFiles',
      detail: faults.map(({ fault }) => fault).join('; '),
    });
  }
  return read.map(({ text }) => text);
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
  const faults: ParseError[] = [];
  const tree = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false });
  const [fault] = faults;
  if (fault || !tree) {
    const place = placeOf(text, fault?.offset ?? 0);
    const detail = fault ? `json (${printParseErrorCode(fault.error)})` : 'empty';
    throw new DeskError('policy_invalid', { fileName, place, detail });
  }
  const placeAt = (path: readonly PropertyKey[]) => placeOf(text, offsetOf(tree, path));
  return check(fileName, getNodeValue(tree), { ...reading, placeAt });
}

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
  const parsed = policySchema.safeParse(value, { error: locales[language]().localeError });
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

/** Of the value at a path; of what holds it if the value itself is missing. */
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

/**
 * What a policy makes of an engine's options, the same in every shell.
 * @throws {DeskError} policy_invalid if a certificate file cannot be used
 */
export function policyOptions(
  policy: DeskPolicy,
  log: Logger,
): Required<Pick<EngineOptions, 'policy' | 'network' | 'log' | 'onRequest'>> {
  return {
    policy,
    network: { certificateAuthorities: policyCertificates(policy) },
    // The partner's server may put anything into its correlation id.
    log,
    onRequest: ({ correlationId, ...entry }) =>
      log.info(
        { ...entry, correlationId: z.uuid().safeParse(correlationId).data ?? null },
        'request',
      ),
  };
}
