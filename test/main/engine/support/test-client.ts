import { generateKeyPairSync } from 'node:crypto';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { ClientMemory } from '#main/partner/memory.ts';
import {
  createPartnerClient,
  type PartnerClientOptions,
  type PartnerClient,
} from '#main/partner/partner-client.ts';
import type { ClientLogEntry } from '#main/partner/requests/signed-request.ts';
import { createSteppedClock, type SteppedClock } from './stepped-clock.ts';

export const rsaKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const dpopKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export function createTestMemory(): ClientMemory & { text: string | null } {
  return {
    text: null,
    load() {
      return this.text;
    },
    save(text) {
      this.text = text;
    },
  };
}

export interface TestClient {
  readonly client: PartnerClient;
  readonly clock: SteppedClock;
  readonly memory: ClientMemory;
  readonly log: ClientLogEntry[];
}

/** Creates a client without jitter on a clock that stands still. */
export function createTestClient(
  baseUrl: string,
  options: Partial<PartnerClientOptions> & { clock?: SteppedClock } = {},
): TestClient {
  const clock = options.clock ?? createSteppedClock();
  const memory = options.memory ?? createTestMemory();
  const log: ClientLogEntry[] = [];
  const client = createPartnerClient({
    baseUrl,
    audience: `${baseUrl}/v1/oauth/token`,
    clientId: 'client-1',
    privateKey: rsaKeys.privateKey,
    dpopKey: dpopKeys.privateKey,
    random: () => 0,
    log: (entry) => log.push(entry),
    ...options,
    clock,
    memory,
  });
  return { client, clock, memory, log };
}

/** Returns the problem with which a call fails, as data. */
export async function problemOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DeskError) return error.problem;
    throw error;
  }
  return 'no problem';
}
