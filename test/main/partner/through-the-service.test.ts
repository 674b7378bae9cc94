import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPartnerClient, type PartnerClient } from '#main/partner/partner-client.ts';
import type { UploadSource } from '#main/partner/answers/document-bodies.ts';
import { parsePrivateKey } from '#main/engine/keys/private-key.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { acceptedCase, backoffice, expectDone } from '../service/support/claims.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { createTestMemory, dpopKeys, problemOf } from '../engine/support/test-client.ts';

const page = { page: 1, size: 50 };

let service: ServiceForTest;
let clients: PartnerClient[] = [];
beforeEach(async () => {
  // The service's Date headers have real time.
  service = await startService({ limits: 'off', clock: machineClock });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  await service.remove();
});

function connect(
  options: {
    name?: 'expert' | 'otherExpert' | 'insurer';
    clientId?: string;
    privateKeyPem?: string;
    audience?: string;
  } = {},
): PartnerClient {
  const credentials = service.credentials[options.name ?? 'expert'];
  const client = createPartnerClient({
    baseUrl: service.baseUrl,
    audience: options.audience ?? service.context.address.audience,
    clientId: options.clientId ?? credentials.clientId,
    privateKey: parsePrivateKey(options.privateKeyPem ?? credentials.privateKeyPem),
    dpopKey: dpopKeys.privateKey,
    clock: machineClock,
    random: Math.random,
    memory: createTestMemory(),
  });
  clients.push(client);
  return client;
}

const pdf = (sizeBytes: number) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(sizeBytes - 9)]);

const sourceOf = (content: Buffer): UploadSource => ({
  fileName: 'Gutachten.pdf',
  contentType: 'application/pdf',
  sizeBytes: content.length,
  isSalvageSale: false,
  open: () => Readable.from([content]),
});

const faults = (rule: Record<string, unknown> | null) =>
  expectDone(backoffice(service, 'PUT', '/faults', { Rules: rule ? [rule] : [] }));

describe('the whole of the work', () => {
  it('X1 to X15: a case is read, worked on and reported', async () => {
    const claim = await acceptedCase(service, await service.partner('insurer'));
    const client = connect();
    const { value: list } = await client.listCases(page);
    expect(list).toMatchObject({ total: 1, items: [{ id: claim.Id, status: 'Accepted' }] });
    await client.putAmounts(claim.Id, { costEstimateRappen: 1_234_560, approvedRappen: 999_995 });
    await client.putComment(claim.Id, 'Achse verbogen');
    const { value: found } = await client.getCase(claim.Id);
    expect(found).toMatchObject({
      costEstimateRappen: 1_234_560,
      approvedRappen: 999_995,
      expertComment: 'Achse verbogen',
      payloadJson: claim.PayloadJson,
    });
    expect((await client.listDocuments(claim.Id, page)).value.total).toBe(0);

    const draft = (await client.createDraft(claim.Id, 'Entwurf')).value;
    expect(draft).toMatchObject({ caseId: claim.Id, status: 'Draft', comment: 'Entwurf' });
    const content = pdf(3_000_000);
    const uploaded = await client.uploadDocument(draft.id, sourceOf(content));
    expect(uploaded.value).toMatchObject({ fileName: 'Gutachten.pdf', sizeBytes: 3_000_000 });
    const extra = await client.uploadDocument(draft.id, sourceOf(pdf(100)));
    await client.deleteSubmissionDocument(draft.id, extra.value.id);
    const { value: documents } = await client.listSubmissionDocuments(draft.id, {
      page: 1,
      size: 1,
    });
    expect(documents).toMatchObject({
      total: 1,
      items: [
        {
          id: uploaded.value.id,
          sizeBytes: 3_000_000,
          sha256: createHash('sha256').update(content).digest('hex'),
        },
      ],
    });
    expect((await client.submit(draft.id)).value.status).toBe('Submitted');
    expect((await client.getReport(claim.Id, draft.id)).value.status).toBe('Submitted');
    expect((await client.listReports(claim.Id, page)).value.items[0]).toMatchObject({
      revisionNo: 1,
    });
    expect(await problemOf(client.reopen(claim.Id, 'Nachtrag'))).toMatchObject({
      code: 'server_refused',
      params: { title: 'invalid_state' },
    });
  });

  it('I6 to X7: a document of the insurer comes back byte for byte', async () => {
    const insurer = await service.partner('insurer');
    const claim = await acceptedCase(service, insurer);
    const content = pdf(2_000_000);
    await expectDone(
      insurer.request('POST', `/v1/insurers/claims/${claim.Id}/documents`, {
        body: {
          FileName: 'Police.pdf',
          ContentType: 'application/pdf',
          ContentBase64: content.toString('base64'),
        },
      }),
    );
    const client = connect();
    const [listed] = (await client.listDocuments(claim.Id, page)).value.items;
    const pieces: Uint8Array[] = [];
    const { value } = await client.fetchDocument(claim.Id, listed?.id ?? '', (chunk) => {
      pieces.push(Uint8Array.from(chunk));
    });
    expect(value).toMatchObject({ fileName: 'Police.pdf', sizeBytes: content.length });
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
  });

  it('an unknown outcome, repeated with its key, is carried out once', async () => {
    const claim = await acceptedCase(service, await service.partner('insurer'));
    const client = connect();
    const delivery = { idempotencyKey: randomUUID() };
    for (const Effect of ['drop-after', 'drop-before', 'truncate']) {
      await faults({ Method: 'POST', Path: 'reports:draft$', Effect, Times: 1 });
      expect(await problemOf(client.createDraft(claim.Id, 'c', delivery))).toMatchObject({
        code: 'outcome_unknown',
        params: { cause: 'connection_lost' },
      });
    }
    await faults(null);
    const { value } = await client.createDraft(claim.Id, 'c', delivery);
    const reports = (await client.listReports(claim.Id, page)).value;
    expect(reports).toMatchObject({ total: 1, items: [{ id: value.id }] });
  });

  it('what is wrong with a connection is named', async () => {
    const { privateKeyPem } = service.credentials.otherExpert;
    const ask = (client: PartnerClient) => problemOf(client.listCases(page));
    expect(await ask(connect({ clientId: 'nobody' }))).toEqual({
      code: 'client_id_unknown',
      params: { clientId: 'nobody' },
    });
    expect(await ask(connect({ privateKeyPem }))).toEqual({ code: 'key_rejected', params: {} });
    expect(await ask(connect({ audience: 'https://elsewhere' }))).toEqual({
      code: 'audience_wrong',
      params: { audience: 'https://elsewhere' },
    });
    expect(await ask(connect({ name: 'insurer' }))).toEqual({
      code: 'organization_kind_wrong',
      params: {},
    });
  });
});
