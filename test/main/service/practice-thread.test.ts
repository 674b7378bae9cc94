import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PracticeService, startPracticeService } from '#main/service/practice-thread.ts';
import { runPractice } from '#main/service/run-practice.ts';
import { createPartner } from './support/partner.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'practice-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const optionsOf = (count: number) => ({
  dataDir,
  storeKey: 'a1'.repeat(32),
  seed: 1,
  language: 'de' as const,
  count,
  limits: 'on' as const,
});

interface Listed {
  Total: number;
  Items: { Id: string; PayloadJson: string }[];
}

test('practice: the same organizations, keys and cases after a restart', async () => {
  const first = await startPracticeService(optionsOf(5));
  const list = async (baseUrl: string) => {
    const partner = await createPartner(first.expert, baseUrl);
    return (await partner.request('GET', '/v1/experts/cases?size=200')).json as Listed;
  };
  const before = await list(first.baseUrl);
  expect(before.Total).toBe(5);
  await first.stop();
  const second = await startPracticeService(optionsOf(5));
  expect(second.expert).toEqual(first.expert);
  expect(second.insurer).toEqual(first.insurer);
  expect(second.backofficeToken).toBe(first.backofficeToken);
  expect(await list(second.baseUrl)).toEqual(before);
  await second.stop();
});

test('practice: 200 connections at most, so that nobody uses up the files of the process', async () => {
  const service = await runPractice(optionsOf(1));
  const port = Number(new URL(service.listening.baseUrl).port);
  const sockets = Array.from({ length: 201 }, () => connect(port, '127.0.0.1'));
  await Promise.race(sockets.map((socket) => once(socket.resume(), 'close')));
  expect(sockets.filter(({ closed }) => closed)).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

test('practice: nothing readable is on the disk, running or not', async () => {
  const service = await runPractice(optionsOf(3));
  const { baseUrl, expert, backofficeToken } = service.listening;
  const partner = await createPartner(expert, baseUrl);
  const { Items } = (await partner.request('GET', '/v1/experts/cases')).json as Listed;
  const words = [
    'PRIVATE KEY',
    expert.clientId,
    backofficeToken,
    'policyNumber',
    ...Items.map(({ Id }) => Id),
  ];
  const expectNothing = async () => {
    for (const file of await readdir(dataDir)) {
      const bytes = await readFile(join(dataDir, file));
      for (const word of words) expect(bytes.includes(word), `${word} in ${file}`).toBe(false);
    }
  };
  await expectNothing();
  await service.stop();
  await expectNothing();
});

test('practice: another key, and a folder in use, are refused', async () => {
  const service = await startPracticeService(optionsOf(1));
  await expect(startPracticeService(optionsOf(1))).rejects.toThrow(/is using the data folder/);
  await service.stop();
  const other = { ...optionsOf(1), storeKey: 'b2'.repeat(32) };
  await expect(startPracticeService(other)).rejects.toThrow(/not a database/);
});

test('practice: a store that a broken-off start left without cases is filled at the next', async () => {
  const first = await runPractice(optionsOf(0));
  await first.stop();
  const second = await runPractice(optionsOf(4));
  const partner = await createPartner(second.listening.expert, second.listening.baseUrl);
  expect((await partner.request('GET', '/v1/experts/cases')).json).toMatchObject({ Total: 4 });
  await second.stop();
});

describe('a service that runs', () => {
  let service: PracticeService;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'practice-'));
    service = await startPracticeService({ ...optionsOf(3), dataDir: folder });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  test('practice: a person plays the insurer, and only what a state allows', async () => {
    const { partner } = service;
    const claim = await partner.newClaim('appraiser');
    expect(claim).toMatchObject({
      category: 'appraiser',
      status: 'Created',
      acts: ['assign', 'cancel'],
    });
    // The user knows the case by this name.
    expect(claim.partyName).toMatch(/\S \S/);
    expect((await partner.state()).claims[0]).toMatchObject({ partyName: claim.partyName });
    const act = (name: 'assign' | 'accept' | 'approve') =>
      partner.act({ id: claim.id, act: name, reason: '' });
    await expect(act('approve')).rejects.toMatchObject({
      code: 'case_state',
      params: { status: 'Created' },
    });
    await act('assign');
    await act('accept');
    await partner.addDocument(claim.id);

    const expert = await createPartner(service.expert, service.baseUrl);
    const seen = await expert.request('GET', `/v1/experts/cases/${claim.id}`);
    expect(seen.json).toMatchObject({ ExternalKey: claim.externalKey, Status: 'Accepted' });
    const papers = await expert.request('GET', `/v1/experts/cases/${claim.id}/documents`);
    expect(JSON.stringify(papers.json)).toContain('Nachtrag_');
    expect((await partner.state()).claims[0]).toMatchObject({ id: claim.id, acts: ['cancel'] });
  });

  test('practice: the network is cut and mended', async () => {
    const expert = await createPartner(service.expert, service.baseUrl);
    await service.partner.setNetwork('off');
    expect((await service.partner.state()).network).toBe('off');
    await expect(expert.request('GET', '/v1/experts/cases')).rejects.toThrow('socket hang up');
    await service.partner.setNetwork('normal');
    expect((await expert.request('GET', '/v1/experts/cases')).status).toBe(200);
  });

  test('practice: no page under /docs, and its document names none', async () => {
    expect((await fetch(`${service.baseUrl}/docs/`)).status).toBe(404);
    const document = await (await fetch(`${service.baseUrl}/openapi.json`)).text();
    expect(document).toContain('"/health"');
    expect(document).not.toContain('"/docs"');
  });
});
