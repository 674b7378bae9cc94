import { z } from 'zod';
import { runDesk } from '#main/cli/run-desk.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import { readPolicy } from '#main/shell/policy.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import type { DeskRun } from './processes.ts';
import { faultLog } from './fault-log.ts';

/** Input of the user; absent means no input. */
export interface Person {
  readonly env?: Readonly<Record<string, string>>;
  /** Answers to the questions for a secret, in their order. */
  readonly secrets?: readonly string[];
  readonly vault?: Vault;
  /** Where LibreOffice lies; without it as this device has it. */
  readonly findOffice?: () => string | null;
}

/** A vault that exists only during the test but counts as a permanent one. */
export function createMemoryVault(secrets?: Map<string, string>): Vault {
  return { ...createSessionVault(secrets), kind: 'passphrase' };
}

/**
 * Runs commands like `npm run desk -- --json --lang en`, with the engine, but without a separate
 * process: a hundred of them take seconds. `desk.test.ts` tests what only a process has (signals,
 * umask, the keychain).
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
      openLog: () => faultLog,
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

/** The key of a case that takes work. */
export async function caseInProgress(desk: DeskRunner): Promise<string> {
  const listed = (await desk('cases', '--status', 'InProgress', '--limit', '1')).json(casesSchema);
  const [found] = listed.items;
  if (!found) throw new Error('the practice data have no case in progress');
  return found.externalKey;
}
