import { createHash } from 'node:crypto';
import { decode } from 'jpeg-js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceContext } from '#main/service/context.ts';
import { readContent } from '#main/front/contents/contents.ts';
import { planClaims, type PlanSize } from '#main/service/practice/plan.ts';
import { seedPracticeData, type PracticeOptions } from '#main/service/practice/seed.ts';
import { caseSchema } from '#shared/api/case.ts';
import { pageOf } from '#shared/api/conventions.ts';
import type { Language } from '#shared/i18n/language.ts';
import { typeByContent } from '#shared/lib/file-type.ts';
import { stringsOfPdf } from '../../../support/sample-files.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startService, type ServiceForTest } from '../support/service.ts';

const now = Date.UTC(2026, 5, 15, 9, 30);

async function seeded(
  seed: number,
  size: PlanSize & Pick<PracticeOptions, 'examplesPerShape'> = { visibleCases: 60 },
  language: Language = 'de',
) {
  const service = await startService({ clock: createFakeClock(now) });
  const { insurer, expert } = service.credentials;
  await seedPracticeData(service.context, { ...size, seed, language, insurer, expert });
  return service;
}

async function documentsOf({ db }: ServiceContext) {
  const columns = ['file_name', 'content_type', 'size_bytes', 'content_id', 'claim_id'] as const;
  const all = [
    ...(await db.selectFrom('claim_documents').select(columns).orderBy('id').execute()),
    ...(await db.selectFrom('submission_documents').select(columns).orderBy('id').execute()),
  ];
  const keys = new Map(
    (await db.selectFrom('claims').select(['id', 'external_key']).execute()).map((claim) => [
      claim.id,
      claim.external_key,
    ]),
  );
  return Promise.all(
    all.map(async (row) => ({
      ...row,
      externalKey: keys.get(row.claim_id) ?? '',
      bytes: await bytesOf(db, row.content_id, row.size_bytes),
    })),
  );
}

async function bytesOf(db: ServiceContext['db'], contentId: string, sizeBytes: number) {
  const chunks: Buffer[] = [];
  for await (const chunk of readContent({ db, objects: undefined }, contentId, sizeBytes))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

let service: ServiceForTest;
beforeAll(async () => {
  service = await seeded(1);
});
afterAll(() => service.remove());

describe('seedPracticeData', () => {
  it('makes 60 cases that the expert sees over the API, and claims that only the insurer does', async () => {
    const expert = await service.partner('expert');
    const answer = await expert.request('GET', '/v1/experts/cases?size=200');
    const page = pageOf(caseSchema).parse(answer.json);
    expect(page.Total).toBe(60);
    expect(page.Items.some((item) => item.HailDriveInAccepted)).toBe(true);
    const insurer = await service.partner('insurer');
    const claims = await insurer.request('GET', '/v1/insurers/claims?status=Created');
    expect(claims.json).toMatchObject({ Total: expect.any(Number) as number });
    expect((claims.json as { Total: number }).Total).toBeGreaterThan(0);
  });

  it('makes the same bytes for the same seed on the same day', async () => {
    const again = await seeded(1);
    const summary = async ({ context }: ServiceForTest) => ({
      claims: await context.db
        .selectFrom('claims')
        .select(['id', 'external_key', 'status', 'last_changed_at', 'approved_rappen'])
        .orderBy('number')
        .execute(),
      payloads: await context.db.selectFrom('claim_payloads').selectAll().execute(),
      documents: (await documentsOf(context)).map(({ bytes, ...row }) => ({
        ...row,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })),
    });
    try {
      expect(await summary(again)).toEqual(await summary(service));
    } finally {
      await again.remove();
    }
  });

  it.each([
    ['fr', 'Declaration_de_sinistre', 'Devis', 'Säntis Assurances SA'],
    ['it', 'Notifica_di_sinistro', 'Preventivo', 'Säntis Assicurazioni SA'],
  ] as const)('is at work in the region whose language is %s', async (language, ...words) => {
    const [notice, estimate, insurer] = words;
    const region = await seeded(1, { visibleCases: 15 }, language);
    const { context } = region;
    try {
      const documents = await documentsOf(context);
      const names = documents.map(({ file_name }) => file_name);
      expect(names.filter((name) => name.startsWith(`${notice}_`)).length).toBeGreaterThan(14);
      expect(names.filter((name) => /Schaden|Kosten|Gutachten|Rechnung/.test(name))).toEqual([]);
      const devis = documents.find(({ file_name }) => file_name.startsWith(`${estimate}_`));
      const pages = await stringsOfPdf(devis?.bytes ?? Buffer.alloc(0));
      expect(pages.flat().join(' ')).toContain(insurer);
      const { name } = await context.db
        .selectFrom('claims')
        .innerJoin('organizations', 'organizations.id', 'claims.insurer_organization_id')
        .select('organizations.name')
        .executeTakeFirstOrThrow();
      expect(name).toBe(insurer);
    } finally {
      await region.remove();
    }
  });

  it('gives each claim one to four documents that are what they say', async () => {
    const documents = await documentsOf(service.context);
    for (const { bytes, content_type, size_bytes } of documents) {
      expect(bytes.length).toBe(size_bytes);
      expect(typeByContent(bytes)).toBe(content_type);
    }
    const counts = await service.context.db
      .selectFrom('claims')
      .leftJoin('claim_documents', 'claim_documents.claim_id', 'claims.id')
      .select(['claims.id', ({ fn }) => fn.count<number>('claim_documents.id').as('documents')])
      .groupBy('claims.id')
      .execute();
    for (const { documents: count } of counts) {
      expect(count).toBeGreaterThanOrEqual(1);
      expect(count).toBeLessThanOrEqual(4);
    }
  });

  it('names documents after their case, and their PDFs and photos open', async () => {
    const documents = await documentsOf(service.context);
    const kinds = new Map<string, Buffer>();
    for (const { file_name, externalKey, content_type, bytes } of documents) {
      const isNamed = content_type !== 'application/pdf' || file_name.includes(externalKey);
      expect([file_name, isNamed]).toEqual([file_name, true]);
      kinds.set(createHash('sha256').update(bytes).digest('hex'), bytes);
    }
    const found = [...kinds.values()];
    for (const bytes of found.filter((one) => typeByContent(one) === 'application/pdf')) {
      expect((await stringsOfPdf(bytes)).flat().join(' ')).toMatch(
        /Schaden|Total|Gutachten|Gebote/,
      );
    }
    for (const bytes of found.filter((one) => typeByContent(one) === 'image/jpeg')) {
      expect(decode(bytes)).toMatchObject({ width: 640, height: 480 });
    }
    // Every fixture and the note are in use.
    expect(found.length).toBe(10);
  });

  it('leaves records as their history says', () => expectHistories(service, { visibleCases: 60 }));

  it('leaves further records, which repeat the steps of others, as their history says', async () => {
    // 123 of the claims are copies, of every status.
    const size = { count: 240 };
    const large = await seeded(1, { ...size, examplesPerShape: 2 });
    try {
      await expectHistories(large, size);
      const documents = await documentsOf(large.context);
      expect(new Set(documents.map((row) => row.content_id)).size).toBeLessThan(documents.length);
      for (const { bytes, size_bytes, file_name, externalKey, content_type } of documents) {
        const isNamed = content_type !== 'application/pdf' || file_name.includes(externalKey);
        expect([file_name, bytes.length, isNamed]).toEqual([file_name, size_bytes, true]);
      }
      // Their people are their own, and q finds them.
      const insurer = await large.partner('insurer');
      const answer = await insurer.request('GET', '/v1/insurers/claims?q=SF-2026-000240');
      expect(answer.json).toMatchObject({ Total: 1 });
      const { rows } = await sql<{ all: number; numbers: number }>`select count(*) as "all",
        count(distinct search_text) as numbers from claim_payloads`.execute(large.context.db);
      expect(rows).toEqual([{ all: size.count, numbers: size.count }]);
    } finally {
      await large.remove();
    }
  });
});

/** Each record is in the state of its plan, and its events and submissions led there. */
async function expectHistories({ context }: ServiceForTest, size: PlanSize): Promise<void> {
  const { db } = context;
  const claims = await db.selectFrom('claims').selectAll().orderBy('number').execute();
  const plans = planClaims(size, 1, '2026-06-15');
  expect(claims.map(({ id, status }) => [id, status])).toEqual(
    plans.map(({ id, history }) => [id, history.status]),
  );
  const lastReports: Partial<Record<string, string>> = {
    AdminReturned: 'Returned',
    ExpertCompleted: 'Submitted',
    AdminApproved: 'Approved',
    Final: 'Approved',
  };
  const statuses = claims.map(({ status }) => status);
  expect(statuses).toEqual(expect.arrayContaining(Object.keys(lastReports)));
  const allEvents = await db.selectFrom('events').selectAll().orderBy('position').execute();
  const all = await db.selectFrom('submissions').selectAll().orderBy('sequence_no').execute();
  const eventsOf = Map.groupBy(allEvents, ({ claim_id }) => claim_id);
  const submissionsOf = Map.groupBy(all, ({ claim_id }) => claim_id);
  for (const claim of claims) {
    const events = eventsOf.get(claim.id) ?? [];
    const submissions = submissionsOf.get(claim.id) ?? [];
    const last = submissions.at(-1)?.status;
    expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ at }) => at)).toEqual(
      events.map(({ at }) => at).toSorted((a, b) => a - b),
    );
    expect(events.at(-1)?.at).toBe(claim.last_changed_at);
    expect(claim.last_changed_at).toBeLessThan(Date.UTC(2026, 5, 15));
    expect(submissions.some(({ status }) => status === 'Draft')).toBe(false);
    expect([claim.status, last]).toEqual([claim.status, lastReports[claim.status] ?? last]);
    const isApproved = lastReports[claim.status] === 'Approved';
    const { last_report_approved_at: approvedAt, approved_rappen: approved } = claim;
    const isOfApproval = approvedAt !== null && approved !== null;
    expect(isApproved && !isOfApproval).toBe(false);
    expect(isApproved ? (approved ?? 0) : 0).toBeLessThanOrEqual(claim.cost_estimate_rappen ?? 0);
    const finalizedAt = events.find(({ name }) => name === 'Finalized')?.at;
    expect(claim.status === 'Final' && finalizedAt !== claim.completed_at).toBe(false);
    expect(claim.expert_organization_id === null).toBe(claim.status === 'Created');
  }
}
