import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import type { Language } from '#shared/i18n/language.ts';
import type { PracticeInsurer, PracticeNetwork } from '#shared/desk/setup/practice.ts';
import type { Insurer } from './practice/insurer.ts';
import type { Limits } from '../front/limits/limiter.ts';
import type { OrganizationCredentials } from './organizations/organizations.ts';

export interface PracticeService extends PracticeListening {
  /** The insurer's functions: claims, verdicts, documents, and faults of the network. */
  readonly partner: PracticeInsurer;
  /** Answers the open requests and closes the store. It resolves when the thread has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the partner API on a separate thread, on a free port of 127.0.0.1, with an encrypted store
 * of practice cases. The same folder and key give the same organizations, keys and cases; only the
 * port differs.
 * @throws {DeskError} disk_full, files_exhausted, home_unwritable
 * @throws {Error} if the folder is in use, the key is wrong, or the thread ends.
 */
export async function startPracticeService(options: PracticeOptions): Promise<PracticeService> {
  const worker = new Worker(new URL('./practice-worker.ts', import.meta.url), {
    workerData: options,
  });
  const ended = once(worker, 'exit');
  const report = await firstReport(worker);
  if (report.event === 'failed') {
    await worker.terminate();
    if (report.problem) throw DeskError.of(report.problem);
    throw new Error(`the practice service could not start: ${report.message}`);
  }
  return {
    ...report.listening,
    partner: createPartner(worker, report.listening),
    async stop() {
      worker.postMessage('stop');
      await ended;
    },
  };
}

/** The fault rules of each network (design, "Back office"). */
const faults: Readonly<Record<PracticeNetwork, readonly object[]>> = {
  normal: [],
  slow: [{ Effect: 'delay', DelayMs: 2500 }],
  failing: [
    { Effect: 'status', Status: 500, Title: 'internal_error', Probability: 0.4 },
    { Effect: 'drop-after', Probability: 0.2 },
  ],
  off: [{ Effect: 'drop-before' }],
};

function createPartner(
  worker: Worker,
  { baseUrl, backofficeToken }: PracticeListening,
): PracticeInsurer {
  let network: PracticeNetwork = 'normal';
  let lastId = 0;
  const waiting = new Map<number, (answer: InsurerAnswer) => void>();
  worker.on('message', (message: object) => {
    if (!('id' in message)) return;
    // The cast is safe, because only the thread posts here, with these types.
    const answer = message as InsurerAnswer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  worker.once('exit', () => {
    for (const [id, resolve] of waiting) resolve({ id, problem: { code: 'internal', params: {} } });
  });

  async function ask<Name extends keyof Insurer>(
    name: Name,
    ...args: Parameters<Insurer[Name]>
  ): Promise<Awaited<ReturnType<Insurer[Name]>>> {
    const id = (lastId += 1);
    const answer = await new Promise<InsurerAnswer>((resolve) => {
      waiting.set(id, resolve);
      worker.postMessage({ id, name, args } satisfies InsurerCall<Name>);
    });
    if ('problem' in answer) throw DeskError.of(answer.problem);
    // The cast is safe, because the thread answers with the result of the function of that name.
    return answer.value as Awaited<ReturnType<Insurer[Name]>>;
  }

  return {
    async state() {
      const claims = await ask('claims');
      return { network, claims, total: claims.length };
    },
    newClaim: (category) => ask('newClaim', category),
    act: (input) => ask('act', input),
    addDocument: (id) => ask('addDocument', id),
    reasons: (id) => ask('reasons', id),
    async setNetwork(wanted) {
      const response = await fetch(`${baseUrl}/_backoffice/faults`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${backofficeToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ Rules: faults[wanted] }),
      });
      if (!response.ok) throw new DeskError('internal');
      network = wanted;
    },
  };
}

function firstReport(worker: Worker): Promise<PracticeReport> {
  return new Promise((resolve, reject) => {
    const receive = (message: object) => {
      // Under `node --watch`, a thread also posts the names of imported files.
      if (!isReport(message)) return;
      worker.off('message', receive);
      resolve(message);
    };
    worker.on('message', receive);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the practice service ended before it listened')));
  });
}

function isReport(message: object): message is PracticeReport {
  return 'event' in message;
}

export interface PracticeOptions {
  /** The folder of the practice store. It is created if it is missing. */
  readonly dataDir: string;
  /** The key that encrypts the store, as 64 hexadecimal digits. */
  readonly storeKey: string;
  /** The seed of the random values. The same seed gives the same cases. */
  readonly seed: number;
  /** The language of the people and texts of new cases. */
  readonly language: Language;
  /** The number of cases that the expert sees after the first start. */
  readonly count: number;
  readonly limits: Limits;
}

/** The answer of a practice service that listens. */
export interface PracticeListening {
  readonly baseUrl: string;
  readonly audience: string;
  readonly expert: OrganizationCredentials;
  readonly insurer: OrganizationCredentials;
  readonly backofficeToken: string;
}

export type PracticeReport =
  | { readonly event: 'listening'; readonly listening: PracticeListening }
  | {
      readonly event: 'failed';
      readonly message: string;
      /** The problem; null if neither the disk nor the system's limits are the reason. */
      readonly problem: DeskProblem | null;
    };

/** A call of one of the insurer's functions on the thread. */
export interface InsurerCall<Name extends keyof Insurer = keyof Insurer> {
  readonly id: number;
  readonly name: Name;
  readonly args: Parameters<Insurer[Name]>;
}

export type InsurerAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: DeskProblem };
