import { createPrivateKey, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CaseTrigger, nextCaseStatus, nextSubmissionStatus } from '#shared/api/states.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { systemClock } from '#main/front/clock.ts';
import type { ClientSubmission } from '#main/partner/answers/answers.ts';
import { createPartnerClient, type PartnerClient } from '#main/partner/partner-client.ts';
import { createTestMemory, dpopKeys } from '../main/engine/support/test-client.ts';
import { acceptedCase, at, backoffice, contents } from '../main/service/support/claims.ts';
import { machineClock } from '../main/service/support/fake-clock.ts';
import { shareService } from '../main/service/support/service.ts';
import { smokeOrLong } from '../support/long.ts';
import { FakePartner } from '../support/partner/fake-partner.ts';

/**
 * The properties of the delivery try thousands of deliveries, so their partner is in memory. Here the
 * desk's client sends the same requests to it and to the service, and both must answer the same.
 */
const { service, insurer } = await shareService({ clock: machineClock });

const unpaced = { capacity: 1_000_000, refillPerMinute: 1_000_000 };
const { clientId, privateKeyPem } = service.credentials.expert;
const realClient = createPartnerClient({
  baseUrl: service.baseUrl,
  audience: service.context.address.audience,
  clientId,
  privateKey: createPrivateKey(privateKeyPem),
  dpopKey: dpopKeys.privateKey,
  random: () => 0,
  clock: systemClock,
  memory: createTestMemory(),
  limits: { standard: unpaced, documents: unpaced },
});

/** What the back office does to the case or to its last submission. */
const moves = ['approve', 'return', 'finalize', 'cancel'] as const satisfies CaseTrigger[];
type Move = (typeof moves)[number];

/** A partner with one case, as the desk sees it. */
interface Side {
  readonly client: PartnerClient;
  readonly caseId: string;
  readonly submissions: string[];
  readonly documents: string[];
  /** When the case was last changed, as it was last read. */
  changedAt: string;
}

/** What distinguishes two requests of the same operation. */
interface Choice {
  readonly words: string;
  readonly place: number;
  readonly flag: boolean;
  readonly key: { readonly idempotencyKey: string };
}
type Ask = (side: Side, choice: Choice) => Promise<unknown>;

/** An id that neither partner has. */
const nowhere = '99999999-9999-4999-8999-999999999999';
const pick = (ids: readonly string[], place: number) =>
  ids.length === 0 ? nowhere : at(ids, place % ids.length);
const last = ({ submissions }: Side) => submissions.at(-1) ?? nowhere;
const page = { page: 1, size: 50 };

/** Resolves with a word for an answer without content. */
const done = async (pending: Promise<unknown>) => {
  await pending;
  return 'done';
};

async function outcomeOf(pending: Promise<unknown>): Promise<unknown> {
  try {
    return await pending;
  } catch (error) {
    if (!(error instanceof DeskError) || error.problem.code !== 'server_refused') throw error;
    const { status, title } = error.problem.params;
    return `refused: ${status} ${title}`;
  }
}

const submissionView = ({ sequenceNo, status, comment, submittedAt }: ClientSubmission) => ({
  sequenceNo,
  status,
  comment,
  isSubmitted: submittedAt !== null && submittedAt !== '',
});

/** The order of a list is the partner's own, so no test compares it. */
const reads = {
  X2: async (side) => {
    const { value } = await side.client.getCase(side.caseId);
    const { status, expertComment, costEstimateRappen, approvedRappen, lastChangedAt } = value;
    const isChanged = lastChangedAt > side.changedAt;
    side.changedAt = lastChangedAt;
    return { status, expertComment, costEstimateRappen, approvedRappen, isChanged };
  },
  X10: async ({ client, caseId }) => {
    const { total, items } = (await client.listReports(caseId, page)).value;
    const ascending = items.toSorted((a, b) => a.sequenceNo - b.sequenceNo);
    return [total, ascending.map((item) => [submissionView(item), item.revisionNo])];
  },
  X11: async ({ client, caseId, submissions }, { place }) =>
    submissionView((await client.getReport(caseId, pick(submissions, place))).value),
  X12: async (side) => {
    const { total, items } = (await side.client.listSubmissionDocuments(last(side), page)).value;
    const ascending = items.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
    const view = ascending.map(({ id: _id, submissionId: _of, createdAt: _at, ...rest }) => rest);
    return [total, view];
  },
} satisfies Record<string, Ask>;

const writes: Readonly<Record<string, Ask>> = {
  X3: ({ client, caseId }, { words }) => done(client.putComment(caseId, words)),
  X4: ({ client, caseId }, { place }) =>
    done(client.putAmounts(caseId, { costEstimateRappen: place || null, approvedRappen: 5 })),
  X9: async ({ client, caseId }, { words }) =>
    submissionView((await client.updateDraft(caseId, words)).value),
  X14: (side, { place }) =>
    done(side.client.deleteSubmissionDocument(last(side), pick(side.documents, place))),
};

/** What may be sent a second time with its key, and then has no second effect. */
const posts: Readonly<Record<string, Ask>> = {
  X5: ({ client, caseId }, { key }) => done(client.reopen(caseId, 'a reason', key)),
  X8: async ({ client, caseId, submissions }, { words, key }) => {
    const { value } = await client.createDraft(caseId, words, key);
    submissions.push(value.id);
    return submissionView(value);
  },
  X13: async (side, { place, flag, key }) => {
    const source = {
      fileName: `${place}.pdf`,
      contentType: 'application/pdf',
      isSalvageSale: flag,
      sizeBytes: contents.pdf.length,
      open: () => Readable.from([contents.pdf]),
    };
    const { value } = await side.client.uploadDocument(last(side), source, key);
    side.documents.push(value.id);
    const { fileName, isSalvageSale, submissionId, caseId } = value;
    return [fileName, isSalvageSale, submissionId === last(side), caseId === side.caseId];
  },
  X15: async (side, { key }) => submissionView((await side.client.submit(last(side), key)).value),
};

/** Asks a partner once or twice, and then reads its records. After a move of the back office it asks X11. */
async function answersOf(side: Side, name: string, choice: Choice, isAgain: boolean) {
  const post = posts[name];
  const ask = post ?? writes[name] ?? reads.X11;
  const first = await outcomeOf(ask(side, choice));
  const second = isAgain && post ? await outcomeOf(post(side, choice)) : 'once';
  const seen = [await reads.X2(side), await reads.X10(side), await outcomeOf(reads.X12(side))];
  return { name, first, second, seen };
}

const ofReports = ['X8', 'X13', 'X15', 'return', 'approve'];
// What makes a report is more frequent, so that reports come to their end and back.
const names = [
  ...ofReports,
  ...ofReports,
  ...Object.keys({ ...writes, ...posts }),
  'X11',
  ...moves,
];
const request = fc.record({
  name: fc.constantFrom(...names),
  words: fc.constantFrom('', 'a'),
  place: fc.nat(2),
  flag: fc.boolean(),
  isAgain: fc.boolean(),
});

test('the partner of the tests answers each request as the service does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
      const partner = new FakePartner(systemClock);
      const { id } = partner.addCase({ status: 'Accepted' });
      const { Id } = await acceptedCase(service, insurer);
      const [real, fake] = [sideOf(realClient, Id), sideOf(partner.createClient(), id)];
      for (const { name, isAgain, ...given } of requests) {
        const choice = { ...given, key: { idempotencyKey: randomUUID() } };
        const move = moves.find((each) => each === name);
        if (move) await moveBoth(partner, fake, real, move);
        const expected = await answersOf(real, name, choice, isAgain);
        expect(await answersOf(fake, name, choice, isAgain)).toEqual(expected);
      }
    }),
    { numRuns: smokeOrLong(30, 500) },
  );
});

const sideOf = (client: PartnerClient, caseId: string): Side => ({
  client,
  caseId,
  submissions: [],
  documents: [],
  changedAt: '',
});

/** Lets the back office of the service move its case, and tells the other partner what came of it. */
async function moveBoth(partner: FakePartner, fake: Side, real: Side, move: Move): Promise<void> {
  const isOfReport = move === 'approve' || move === 'return';
  const path = isOfReport ? `/reports/${last(real)}/${move}` : `/claims/${real.caseId}/${move}`;
  const { status } = await backoffice(service, 'POST', path);
  if (status >= 300) return;
  const before = partner.cases.get(fake.caseId)?.status ?? '';
  const after = nextCaseStatus(before, move);
  if (after === undefined || after === before) return;
  partner.change(fake.caseId, { status: after });
  if (move === 'finalize') return;
  for (const submission of partner.submissions)
    submission.status = nextSubmissionStatus(submission.status, move) ?? submission.status;
}
