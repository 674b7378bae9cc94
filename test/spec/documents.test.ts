import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { documentMaxBytes } from '#shared/api/limits.ts';
import {
  acceptedCase,
  contents,
  expectDone,
  openDraft,
  titleOf,
  upload,
  anyString,
} from '../main/service/support/claims.ts';
import { shareService } from '../main/service/support/service.ts';

const { service, insurer, expert } = await shareService();
let claimId: string;
let submissionId: string;

beforeEach(async () => {
  claimId = (await acceptedCase(service, insurer)).Id;
  submissionId = await openDraft(expert, claimId);
});

const uploads = {
  I6: (body: unknown, idempotencyKey?: string) =>
    insurer.request('POST', `/v1/insurers/claims/${claimId}/documents`, {
      body,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    }),
  X13: (body: unknown, idempotencyKey?: string) =>
    expert.request('POST', `/v1/experts/reports/${submissionId}/documents`, {
      body,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    }),
};

async function contentCount(): Promise<number> {
  const { total } = await service.context.db
    .selectFrom('contents')
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** A PDF of a size, whose bytes cannot be guessed. */
function pdfOf(sizeBytes: number): Buffer {
  return Buffer.concat([contents.pdf, randomBytes(sizeBytes - contents.pdf.length)]);
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe.each(['I6', 'X13'] as const)('%s', (id) => {
  const send = (body: unknown) => uploads[id](body);

  test.each([
    ['FileName empty', { FileName: '' }, 'invalid_document', 'FileName'],
    ['FileName of 256 characters', { FileName: 'x'.repeat(256) }, 'invalid_document', 'FileName'],
    ['FileName with a slash', { FileName: '../a.pdf' }, 'invalid_document', 'FileName'],
    ['FileName with a backslash', { FileName: 'a\\b.pdf' }, 'invalid_document', 'FileName'],
    ['FileName with a line break', { FileName: 'a\nb.pdf' }, 'invalid_document', 'FileName'],
    ['FileName with NUL', { FileName: 'a\0b.pdf' }, 'invalid_document', 'FileName'],
    ['FileName missing', { FileName: undefined }, 'invalid_request', 'FileName'],
    ['FileName a number', { FileName: 1 }, 'invalid_request', 'FileName'],
    ['ContentType missing', { ContentType: undefined }, 'invalid_request', 'ContentType'],
    [
      'ContentType not allowed',
      { ContentType: 'text/html' },
      'unsupported_content_type',
      'ContentType',
    ],
    ['ContentType empty', { ContentType: '' }, 'unsupported_content_type', 'ContentType'],
    ['content of another type', { ContentType: 'image/png' }, 'invalid_document', 'ContentBase64'],
    [
      'content without parts of its type',
      { ContentType: word },
      'invalid_document',
      'ContentBase64',
    ],
    ['ContentBase64 missing', { ContentBase64: undefined }, 'invalid_request', 'ContentBase64'],
    ['ContentBase64 null', { ContentBase64: null }, 'invalid_request', 'ContentBase64'],
    ['ContentBase64 empty', { ContentBase64: '' }, 'invalid_document', 'ContentBase64'],
    [
      'base64 with a line break',
      { ContentBase64: 'JVBE\nRi0=' },
      'invalid_document',
      'ContentBase64',
    ],
    ['base64 without padding', { ContentBase64: 'JVBERi0' }, 'invalid_document', 'ContentBase64'],
  ])(
    `${id}: %s is refused (invalid_document, unsupported_content_type or invalid_request)`,
    async (_, changes, title, field) => {
      const before = await contentCount();
      const answer = await send(upload(contents.pdf, changes));
      expect([answer.status, titleOf(answer)]).toEqual([400, title]);
      expect(answer.json).toMatchObject({ errors: { [field]: [anyString] } });
      expect(await contentCount()).toBe(before);
    },
  );

  test.each([
    ['no JSON', '{"FileName":'],
    ['a list', '[]'],
    ['something after the object', `${JSON.stringify(upload())}x`],
    ['a content twice', `{"ContentBase64":"QUJD",${JSON.stringify(upload()).slice(1)}`],
    ['nothing', ''],
  ])(`${id}: a body that is %s is invalid_request`, async (_, body) => {
    const answer = await send(body);
    expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_request']);
  });

  test(`${id}: an escaped character whose lower byte is a letter is no base64`, async () => {
    const body = JSON.stringify(upload()).replace('"JVBE', String.raw`"JVB\u0145`);
    const answer = await send(body);
    expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_document']);
    expect(answer.json).toMatchObject({ errors: { ContentBase64: [anyString] } });
  });

  test(`${id}: members may come in any order, unknown ones are ignored`, async () => {
    const { ContentBase64, ...rest } = upload();
    const answer = await send({ ContentBase64, Folder: { a: [1, '"'] }, ...rest });
    expect(answer.status).toBe(201);
  });

  test.each([
    ['members', (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 9), ...upload() })],
    ['blanks', (bytes: number) => `${' '.repeat(bytes)}${JSON.stringify(upload())}`],
  ])(`${id}: 1 MiB of %s beside the content is taken, and no more`, async (_, bodyOf) => {
    const mebibyte = 1024 * 1024;
    const beside = JSON.stringify(upload()).length - String(upload()['ContentBase64']).length;
    expect((await send(bodyOf(mebibyte - beside))).status).toBe(201);
    const refused = await send(bodyOf(mebibyte + 1));
    expect([refused.status, titleOf(refused)]).toEqual([400, 'invalid_request']);
  });

  test.each(['text/plain', 'text/csv'])(
    `${id}: %s may have any bytes, UTF-16 too`,
    async (ContentType) => {
      const content = Buffer.from('\ufeffGrüezi\r\n\0', 'utf16le');
      const answer = await send(upload(content, { FileName: 'a.txt', ContentType }));
      expect(answer.json).toMatchObject({ SizeBytes: content.length });
    },
  );

  test(`${id}: 255 characters (fileNameMaxLength) and every other sign are a FileName`, async () => {
    const FileName = '😀'.repeat(250) + ':*?".'.slice(0, 5);
    expect((await send(upload(contents.pdf, { FileName }))).json).toMatchObject({ FileName });
  });

  test(`${id}: 50 MB are taken (documentMaxBytes), one byte more is size_limit_exceeded and leaves nothing`, async () => {
    const whole = pdfOf(documentMaxBytes);
    const accepted = await send(upload(whole));
    expect(accepted.json).toMatchObject({ SizeBytes: documentMaxBytes });
    const before = await contentCount();
    const refused = await send(upload(Buffer.concat([whole, Buffer.from('x')])));
    expect([refused.status, titleOf(refused)]).toEqual([400, 'size_limit_exceeded']);
    expect(await contentCount()).toBe(before);
  });

  test(`${id}: a repeated key gives the stored answer and stores nothing twice`, async () => {
    const body = upload(pdfOf(5_000_000));
    const first = await uploads[id](body, 'k-1');
    const before = await contentCount();
    const second = await uploads[id](body, 'k-1');
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await contentCount()).toBe(before);
  });
});

describe('reading documents', () => {
  test.each([1, 2, 3, 196_607, 196_608, 196_609, 3_145_728, 4_000_001])(
    'I6, I7, X7: %i bytes come back as they were',
    async (sizeBytes) => {
      const text = 'Zürich '.repeat(600_000);
      const bytes = Buffer.from(text, 'latin1').subarray(0, sizeBytes);
      const added = await expectDone(
        uploads.I6(upload(bytes, { FileName: 'a.txt', ContentType: 'text/plain' })),
      );
      const { Id } = added.json as { Id: string };
      const [asInsurer, asExpert] = await Promise.all([
        insurer.request('GET', `/v1/insurers/claims/${claimId}/documents/${Id}`),
        expert.request('GET', `/v1/experts/cases/${claimId}/documents/${Id}`),
      ]);
      expect(asExpert.text).toBe(asInsurer.text);
      const { ContentBase64, ...rest } = asExpert.json as { ContentBase64: string };
      expect(rest).toEqual(added.json);
      expect(ContentBase64 === bytes.toString('base64')).toBe(true);
      expect(asExpert.headers['content-length']).toBe(String(asExpert.body.length));
    },
    120_000,
  );

  test('X6, I5: list what was added, the newest first, without content', async () => {
    await expectDone(uploads.I6(upload()));
    const newest = await expectDone(uploads.I6(upload(contents.pdf, { FileName: 'b.pdf' })));
    const [x6, i5] = await Promise.all([
      expert.request('GET', `/v1/experts/cases/${claimId}/documents?size=1`),
      insurer.request('GET', `/v1/insurers/claims/${claimId}/documents?size=1`),
    ]);
    expect(x6.json).toEqual({ Total: 2, Page: 1, Size: 1, Items: [newest.json] });
    expect(i5.json).toEqual(x6.json);
  });

  test('X12: a page of documents comes with the contents, in pieces that fit together', async () => {
    const sizes = [5, 196_608, 700_001];
    const hashes = new Set<string>();
    for (const [index, size] of sizes.entries()) {
      const bytes = pdfOf(size + contents.pdf.length);
      hashes.add(createHash('sha256').update(bytes).digest('hex'));
      await expectDone(uploads.X13(upload(bytes, { FileName: `${index}.pdf` })));
    }
    const answer = await expert.request('GET', `/v1/experts/reports/${submissionId}/documents`);
    const page = answer.json as { Total: number; Items: { ContentBase64: string }[] };
    expect(page.Total).toBe(3);
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    const received = page.Items.map(({ ContentBase64 }) =>
      createHash('sha256').update(Buffer.from(ContentBase64, 'base64')).digest('hex'),
    );
    expect(new Set(received)).toEqual(hashes);
    const second = await expert.request(
      'GET',
      `/v1/experts/reports/${submissionId}/documents?page=2&size=2`,
    );
    expect(second.json).toMatchObject({ Total: 3, Page: 2, Size: 2, Items: [{}] });
  });

  test.each([
    ['SalvageSale', true, 'application/pdf', contents.pdf],
    ['SalvageSale', true, 'image/jpeg', contents.jpeg],
    ['Photo', false, 'image/jpeg', contents.jpeg],
    ['Report', false, 'application/pdf', contents.pdf],
    ['Report', false, 'text/plain', Buffer.from('Text')],
  ])('X13 Kind: %s', async (kind, IsSalvageSale, ContentType, bytes) => {
    const answer = await uploads.X13(upload(bytes, { ContentType, IsSalvageSale }));
    expect(answer.json).toMatchObject({
      Kind: kind,
      IsSalvageSale,
      SubmissionId: submissionId,
      ClaimId: claimId,
    });
  });

  test.each([
    ['missing', {}],
    ['null', { IsSalvageSale: null }],
  ])('X13 IsSalvageSale: %s is false', async (_, changes) => {
    const answer = await uploads.X13(upload(contents.pdf, changes));
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ IsSalvageSale: false, Kind: 'Report' });
  });

  test('I6: knows no IsSalvageSale, and takes it like any other member', async () => {
    const answer = await uploads.I6(upload(contents.pdf, { IsSalvageSale: 'yes' }));
    expect(answer.status).toBe(201);
    expect(answer.json).not.toHaveProperty('IsSalvageSale');
    expect(answer.json).not.toHaveProperty('Kind');
  });

  test('X13 IsSalvageSale: is no text', async () => {
    const answer = await uploads.X13(upload(contents.pdf, { IsSalvageSale: 'true' }));
    expect(answer.json).toMatchObject({ errors: { IsSalvageSale: [anyString] } });
  });
});

describe('what an upload leaves behind', () => {
  test('what a killed process left put aside is swept away after an hour, not before', async () => {
    const { db } = service.context;
    await db
      .insertInto('contents')
      .values({ id: 'left', stored: 0, created_at: service.clock.now() })
      .execute();
    await db
      .insertInto('content_chunks')
      .values({ content_id: 'left', position: 0, bytes: Buffer.from('x') })
      .execute();
    const before = await contentCount();
    const uploaded = await expectDone(uploads.I6(upload()));
    // Another process may be at work on it.
    service.clock.advance(59 * 60_000);
    await service.context.purge();
    expect(await contentCount()).toBe(before + 1);
    service.clock.advance(61_000);
    await service.context.purge();
    expect(await contentCount()).toBe(before);
    const chunks = await db
      .selectFrom('content_chunks')
      .selectAll()
      .where('content_id', '=', 'left')
      .execute();
    expect(chunks).toEqual([]);
    const { Id } = uploaded.json as { Id: string };
    const read = await insurer.request('GET', `/v1/insurers/claims/${claimId}/documents/${Id}`);
    expect(read.status).toBe(200);
  });
});
