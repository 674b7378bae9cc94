import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  createPartner,
  type Partner,
  type PartnerAnswer,
  type PartnerCredentials,
} from './support/partner.ts';

const root = join(import.meta.dirname, '../../..');
const listeningSchema = z.object({ baseUrl: z.url(), credentials: z.string() });
const credentialsSchema = z.object({
  insurer: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
});
const createdSchema = z.object({ Id: z.uuid() });

async function start(data: string) {
  const args = ['main/service/server.ts', '--data', data, '--limits', 'off'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { baseUrl, credentials } = listeningSchema.parse(JSON.parse(line));
  const { insurer } = credentialsSchema.parse(JSON.parse(await readFile(credentials, 'utf8')));
  return { child, baseUrl, insurer };
}

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

/** Creates claims, each under its key, until the service is gone; what was answered comes back. */
async function createUntilGone(
  credentials: PartnerCredentials,
  baseUrl: string,
  onAnswer: (count: number) => void,
): Promise<Map<string, PartnerAnswer>> {
  const partner = await createPartner(credentials, baseUrl);
  const answered = new Map<string, PartnerAnswer>();
  for (let count = 0; ; count += 1) {
    const key = `claim ${count}`;
    try {
      answered.set(key, await create(partner, key));
      onAnswer(answered.size);
    } catch {
      return answered;
    }
  }
}

function create(partner: Partner, idempotencyKey: string): Promise<PartnerAnswer> {
  return partner.request('POST', '/v1/insurers/claims', {
    body: { Category: 'appraiser', PayloadJson: JSON.stringify(payload) },
    idempotencyKey,
  });
}

test('idempotency: SIGKILL under load loses no 201 and doubles nothing', async () => {
  const data = await mkdtemp(join(tmpdir(), 'durability-'));
  const first = await start(data);
  const answered = await createUntilGone(first.insurer, first.baseUrl, (count) => {
    if (count === 12) setImmediate(() => first.child.kill('SIGKILL'));
  });
  expect(new Set([...answered.values()].map(({ status }) => status))).toEqual(new Set([201]));

  const second = await start(data);
  const partner = await createPartner(second.insurer, second.baseUrl);
  for (const [key, answer] of answered) {
    const repeated = await create(partner, key);
    expect(repeated.body).toEqual(answer.body);
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    const { Id } = createdSchema.parse(answer.json);
    expect((await partner.request('GET', `/v1/insurers/claims/${Id}`)).status).toBe(200);
  }
  // The one whose answer was lost is repeated as well: it was done, or it is done now.
  await create(partner, `claim ${answered.size}`);
  const { Total } = (await partner.request('GET', '/v1/insurers/claims')).json as { Total: number };
  expect(Total).toBe(answered.size + 1);
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');
  await rm(data, { recursive: true });
});
