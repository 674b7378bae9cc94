import { z } from 'zod';
import { runDesk } from '#main/cli/run-desk.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import { readPolicy } from '#main/shell/policy.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import type { DeskRun } from './processes.ts';
import { faultLog } from './fault-log.ts';

/** The user's input. An absent value means no input. */
export interface Person {
  readonly env?: Readonly<Record<string, string>>;
  /** The answers to the questions for secrets, in order. */
  readonly secrets?: readonly string[];
  readonly vault?: Vault;
  /** Returns the path of LibreOffice. Without this function the device's own one is used. */
  readonly findOffice?: () => string | null;
}

/** Creates a vault that exists only during the test but counts as permanent. */
export function createMemoryVault(secrets?: Map<string, string>): Vault {
  return { ...createSessionVault(secrets), kind: 'passphrase' };
}

/**
 * Runs commands like `npm run desk -- --json --lang en`, with the engine but without a separate
 * process, so a hundred commands take seconds. `desk.test.ts` tests what only a process has
 * (signals, umask, the keychain).
 */
export function createDeskRunner(home: string, person: Person = {}) {
  const vault = person.vault ?? createMemoryVault();
  const env: Record<string, string | undefined> = { ...person.env };
  return async (...args: string[]): Promise<DeskRun> => {
    let stdout = '';
    let stderr = '';
    const secrets = [...(person.secrets ?? [])];
    const code = await runDesk({
      args: ['--json', '--lang', 'en', ...args],
      env,
      streams: {
        stdout: { write: (text) => (stdout += text) },
        stderr: { write: (text) => (stderr += text) },
      },
      signal: new AbortController().signal,
      languageOf: () => 'en',
      commandName: 'npm run desk --',
      askSecret: () => Promise.resolve(secrets.shift() ?? null),
      openLog: () => Promise.resolve(faultLog),
      openEngine: (_options, log) =>
        openEngine({
          home,
          vault,
          policy: readPolicy(env),
          clock: systemClock,
          random: systemRandom,
          log,
          ...(person.findOffice && { findOffice: person.findOffice }),
        }),
    });
    const line = stdout.trimEnd().split('\n').at(-1) ?? '';
    return { code, stderr, line, json: (schema) => schema.parse(JSON.parse(line)) };
  };
}
export type DeskRunner = ReturnType<typeof createDeskRunner>;

export const itemsSchema = z.object({ items: z.array(z.looseObject({})), total: z.int() });
export const casesSchema = z.object({
  items: z.array(z.looseObject({ id: z.uuid(), externalKey: z.string(), status: z.string() })),
  total: z.int(),
});
export const errorSchema = z.object({
  event: z.literal('error'),
  code: z.string(),
  message: z.string().min(20),
});

/** Returns the key of a case that accepts work. */
export async function caseInProgress(desk: DeskRunner): Promise<string> {
  const listed = (await desk('cases', '--status', 'InProgress', '--limit', '1')).json(casesSchema);
  const [found] = listed.items;
  if (!found) throw new Error('the practice data have no case in progress');
  return found.externalKey;
}
