import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createDatabase, databaseOf, dropDatabase } from '../main/service/support/database.ts';
import {
  createPartner,
  type Partner,
  type PartnerAnswer,
} from '../main/service/support/partner.ts';
import { smokeOrLong } from '../support/long.ts';
import { startService, temporaryFolder, type RunningService } from '../support/processes.ts';

/** Run over both stores; a database server survives the processes that use it anyway. */
const kills = databaseOf('') === undefined ? smokeOrLong(2, 30) : smokeOrLong(1, 5);
const workers = 3;
/** Answers in a round before the kill: from 3 to 11, another number each time. */
const answersBefore = (round: number) => 3 + ((round * 5) % 9);

const folder = temporaryFolder();
const dataDir = join(folder.path, 'service');
mkdirSync(dataDir);
let service: RunningService | undefined;
afterAll(async () => {
  await service?.kill();
  await dropDatabase(folder.path);
  folder.remove();
});

const createdSchema = z.object({ Id: z.uuid() });
const payload = {
  policyNumber: 'P-1',
  claimInsurance: 'own',
  claimType: 'building',
  insured: { name: 'Anna Muster', phone: '+41 44 555 00 00', city: 'Uster' },
  location: { address: 'Seestrasse 1', postalCode: '8610', city: 'Uster' },
  incidentDate: '2024-01-15',
  damageDescription: 'Wasserschaden',
  estimatedAmount: 1200,
  estimatedCurrency: 'CHF',
  inspectionType: 'estimate_review',
};

/** A POST, which can be repeated as it was. */
interface Act {
  readonly key: string;
  readonly path: string;
  readonly body: object;
}

function create(key: string): Act {
  const PayloadJson = JSON.stringify({ ...payload, remarks: key });
  return { key, path: '/v1/insurers/claims', body: { Category: 'appraiser', PayloadJson } };
}

function upload(key: string, claimId: string): Act {
  // Large enough to be written in several pieces.
  const content = Buffer.from(`%PDF-1.7\n${key}`.padEnd(70_000, key));
  return {
    key: `${key} document`,
    path: `/v1/insurers/claims/${claimId}/documents`,
    body: {
      FileName: `${key}.pdf`,
      ContentType: 'application/pdf',
      ContentBase64: content.toString('base64'),
    },
  };
}

function perform(insurer: Partner, { key, path, body }: Act): Promise<PartnerAnswer> {
  return insurer.request('POST', path, { body, idempotencyKey: key });
}

interface Round {
  readonly answered: { readonly act: Act; readonly answer: PartnerAnswer }[];
  /** What was under way when the service was killed. */
  readonly lost: Act[];
}

/** Creates claims, each with a document, until the service dies. */
async function loadUntilGone(insurer: Partner, round: number, kill: () => void): Promise<Round> {
  const result: Round = { answered: [], lost: [] };
  const act = async (next: Act): Promise<PartnerAnswer | undefined> => {
    try {
      const answer = await perform(insurer, next);
      result.answered.push({ act: next, answer });
      if (result.answered.length === answersBefore(round)) kill();
      return answer;
    } catch {
      result.lost.push(next);
      return undefined;
    }
  };
  const work = async (worker: number) => {
    for (let count = 0; ; count += 1) {
      const key = `${round}-${worker}-${count}`;
      const created = await act(create(key));
      if (!created) return;
      const { Id } = createdSchema.parse(created.json);
      if (!(await act(upload(key, Id)))) return;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return result;
}

/** Everything that was answered is there, is what was sent, and is not done twice. */
async function verify(insurer: Partner, { answered }: Round): Promise<void> {
  for (const { act, answer } of answered) {
    expect(answer.status, answer.text).toBe(201);
    const { Id } = createdSchema.parse(answer.json);
    const read = await insurer.request('GET', `${act.path}/${Id}`);
    expect(read.status, act.key).toBe(200);
    const sent = act.body as { PayloadJson?: string; ContentBase64?: string };
    expect(read.json).toMatchObject(
      sent.PayloadJson === undefined
        ? { ContentBase64: sent.ContentBase64 }
        : { PayloadJson: sent.PayloadJson },
    );
    const repeated = await perform(insurer, act);
    expect(repeated.body).toEqual(answer.body);
    expect(repeated.headers['idempotency-replayed']).toBe('true');
  }
}

test(`SIGKILL: under load, ${kills} times, no 201 is lost and nothing is done twice`, async () => {
  await createDatabase(folder.path);
  const database = databaseOf(folder.path);
  const args = ['--limits', 'off', ...(database ? ['--database', database.url] : [])];
  let claims = 0;
  let documents = 0;
  let round: Round = { answered: [], lost: [] };
  for (let number = 0; number <= kills; number += 1) {
    const running = await startService({ dataDir, args });
    service = running;
    const insurer = await createPartner(running.credentials.insurer, running.baseUrl);
    await verify(insurer, round);
    // What got no answer is repeated: it was done, or it is done now.
    for (const act of round.lost) expect((await perform(insurer, act)).status).toBe(201);
    for (const { path } of [...round.lost, ...round.answered.map(({ act }) => act)]) {
      if (path.endsWith('/documents')) documents += 1;
      else claims += 1;
    }
    const listed = await insurer.request('GET', '/v1/insurers/claims?size=1');
    expect(listed.json).toMatchObject({ Total: claims });
    if (number === kills) break;

    let killed: Promise<unknown> | undefined;
    round = await loadUntilGone(insurer, number, () => {
      killed = running.kill();
    });
    await killed;
  }
  expect(documents).toBeGreaterThan(kills);
  expect(await service?.stop()).toBe(0);
});
