import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  assertReadable,
  caseAnswer,
  countOf,
  documentAnswer,
  documentContentAnswer,
  echoAnswer,
  pageAnswer,
  submissionAnswer,
  submissionDocumentAnswer,
  submissionDocumentHead,
  tokenAnswer,
  tolerantPageAnswer,
  uploadAnswer,
} from '#main/partner/answers/answers.ts';

const wire = (CostEstimateAmount: unknown, ApprovedAmount: unknown = null) => ({
  Id: '00000000-0000-4000-8000-000000000001',
  LastChangedAt: '2026-06-01T08:00:00Z',
  CostEstimateAmount,
  ApprovedAmount,
});

describe('the partner’s amounts', () => {
  it('property: are read to the Rappen', () => {
    const amount = fc.integer({ min: 0, max: 100_000_000_00 });
    fc.assert(
      fc.property(amount, amount, (estimate, approved) => {
        expect(caseAnswer.parse(wire(estimate / 100, approved / 100))).toMatchObject({
          costEstimateRappen: estimate,
          approvedRappen: approved,
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('are rounded to the nearest if a server calculates with doubles', () => {
    for (const [chf, rappen] of [
      [1.16, 116],
      [0.1 + 0.2, 30],
      [115.99999999999999, 11_600],
      [1.0000000000000002, 100],
      [0, 0],
    ])
      expect(caseAnswer.parse(wire(chf)).costEstimateRappen).toBe(rappen);
  });

  it('are empty if they are absent, and refused if they are none', () => {
    for (const nothing of [undefined, null])
      expect(caseAnswer.parse(wire(nothing)).costEstimateRappen).toBeNull();
    for (const chf of ['1.16', true, 1e300])
      expect(caseAnswer.safeParse(wire(chf)).success).toBe(false);
  });
});

const id = '00000000-0000-4000-8000-000000000002';
const at = '2026-06-01T08:00:00Z';

describe('a case', () => {
  const insurer = {
    Name: 'Alpina',
    Responsible: { Name: 'Regula', Email: 'r@example.ch', Phone: '+41 58 280 11 22' },
  };
  const whole = {
    ...wire(1),
    CreatedAt: '2026-05-01T08:00:00Z',
    UpdatedAt: '2026-05-02T08:00:00Z',
    ArchiveState: true,
    HailDriveInAccepted: true,
    Insurer: insurer,
  };

  it('has what the partner sends', () => {
    expect(caseAnswer.parse(whole)).toMatchObject({
      createdAt: '2026-05-01T08:00:00Z',
      updatedAt: '2026-05-02T08:00:00Z',
      lastChangedAt: at,
      archiveState: true,
      hailDriveInAccepted: true,
      insurer: {
        name: 'Alpina',
        responsible: { name: 'Regula', email: 'r@example.ch', phone: '+41 58 280 11 22' },
      },
    });
  });

  it.each([undefined, null])(
    'needs nothing but its id and a time; the rest may be %s',
    (nothing) => {
      const [CreatedAt, UpdatedAt, ArchiveState] = [nothing, nothing, nothing];
      const given = { ...whole, CreatedAt, UpdatedAt, ArchiveState, HailDriveInAccepted: nothing };
      const nobody = { name: '', responsible: { name: '', email: '', phone: '' } };
      const times = { createdAt: at, updatedAt: at, lastChangedAt: at };
      expect(caseAnswer.parse({ ...given, Insurer: nothing })).toMatchObject({
        ...times,
        archiveState: false,
        hailDriveInAccepted: false,
        insurer: nobody,
      });
      const named = caseAnswer.parse({ ...given, Insurer: { Name: 'A', Responsible: nothing } });
      expect(named.insurer).toEqual({ ...nobody, name: 'A' });
      expect(caseAnswer.safeParse({ ...given, LastChangedAt: nothing }).success).toBe(false);
    },
  );
});

it('a document and an upload have what is sent of them, and nothing else', () => {
  const sent = { FileName: 'a.pdf', SizeBytes: 3 };
  expect(documentAnswer.parse({ Id: id, ...sent, CreatedAt: at })).toMatchObject({
    id,
    fileName: 'a.pdf',
    sizeBytes: 3,
    createdAt: at,
  });
  expect(documentAnswer.parse({ Id: id })).toMatchObject({ sizeBytes: 0, createdAt: '' });
  const upload = { Id: id, SubmissionId: id, ClaimId: id, ...sent, IsSalvageSale: false };
  expect(uploadAnswer.parse(upload)).toEqual({
    id,
    submissionId: id,
    caseId: id,
    fileName: 'a.pdf',
    sizeBytes: 3,
    isSalvageSale: false,
  });
  expect(uploadAnswer.parse({ Id: id })).toEqual({
    id,
    submissionId: null,
    caseId: null,
    fileName: null,
    sizeBytes: null,
    isSalvageSale: null,
  });
});

describe('the limits of a record', () => {
  const most = 'x'.repeat(50_000);
  const submission = { Id: id, ClaimId: id, SequenceNo: 1, Status: 'Draft' };
  it.each([
    ['a text of 50,000 characters', true, caseAnswer, { ...wire(1), ExternalKey: most }],
    ['a text of one more', false, caseAnswer, { ...wire(1), ExternalKey: `${most}x` }],
    ['a payload of one more', true, caseAnswer, { ...wire(1), PayloadJson: `${most}x` }],
    ['a time that is none', false, caseAnswer, { ...wire(1), CreatedAt: 'yesterday' }],
    ['a document of less than nothing', false, documentAnswer, { Id: id, SizeBytes: -1 }],
    ['a document of half a byte', false, documentAnswer, { Id: id, SizeBytes: 0.5 }],
    ['a document without an id', false, documentAnswer, { FileName: 'a.pdf' }],
    ['a document of no time', false, documentAnswer, { Id: id, CreatedAt: '' }],
    ['a status of 50,000 characters', true, submissionAnswer, { ...submission, Status: most }],
    ['a status of one more', false, submissionAnswer, { ...submission, Status: `${most}x` }],
    ['a submission of no case', false, submissionAnswer, { ...submission, ClaimId: null }],
    ['a revision that is none', false, submissionAnswer, { ...submission, RevisionNo: -1 }],
    ['an upload that is no number of bytes', false, uploadAnswer, { Id: id, SizeBytes: '3' }],
  ])('%s is readable: %s', (_, isReadable, schema, value) => {
    expect(schema.safeParse(value).success).toBe(isReadable);
  });
});

it('a case says what is wrong with it', () => {
  const faultOf = (value: object) => caseAnswer.safeParse(value).error?.issues[0];
  expect(faultOf({ Id: id })).toMatchObject({ message: 'LastChangedAt is missing' });
  expect(faultOf({ ...wire(1), LastChangedAt: 'x' })).toMatchObject({
    path: ['LastChangedAt'],
    message: 'is no date-time',
  });
  expect(faultOf(wire(1e300))).toMatchObject({
    path: ['CostEstimateAmount'],
    message: 'is no amount',
  });
});

it('a case has its payload and its texts as they are, empty if they are not there', () => {
  const { payloadJson, externalKey } = caseAnswer.parse({
    ...wire(1),
    PayloadJson: '{',
    ExternalKey: ' K ',
  });
  expect([payloadJson, externalKey]).toEqual(['{', ' K ']);
  const bare = caseAnswer.parse(wire(1));
  expect([bare.payloadJson, bare.externalKey]).toEqual(['', '']);
});

describe('documents with content', () => {
  const sent = {
    Id: id,
    FileName: 'a.pdf',
    ContentType: 'application/pdf',
    SizeBytes: 3,
    CreatedAt: at,
  };
  const document = {
    id,
    fileName: 'a.pdf',
    contentType: 'application/pdf',
    sizeBytes: 3,
    createdAt: at,
  };
  const ofSubmission = { ...sent, SubmissionId: id, IsSalvageSale: true };
  const submissionDocument = { ...document, submissionId: id, isSalvageSale: true };

  it('have what is sent of them, and the number of the content', () => {
    expect(documentAnswer.parse(sent)).toEqual(document);
    const content = { ContentBase64: 0 };
    expect(documentContentAnswer.parse({ ...sent, ...content })).toEqual({ document, content: 0 });
    expect(submissionDocumentHead.parse(ofSubmission)).toEqual(submissionDocument);
    expect(submissionDocumentAnswer.parse({ ...ofSubmission, ...content })).toEqual({
      document: submissionDocument,
      content: 0,
    });
    expect(submissionDocumentHead.parse({ Id: id, SubmissionId: id })).toEqual({
      id,
      fileName: '',
      contentType: '',
      sizeBytes: 0,
      createdAt: '',
      submissionId: id,
      isSalvageSale: false,
    });
  });

  it('are none without it, or without their submission', () => {
    expect(documentContentAnswer.safeParse(sent).success).toBe(false);
    expect(submissionDocumentAnswer.safeParse(ofSubmission).success).toBe(false);
    expect(submissionDocumentHead.safeParse(sent).success).toBe(false);
  });
});

it('the answer to a change has what it states, and nothing of what is odd', () => {
  const stated = {
    Id: 'a',
    Status: 'Final',
    ExpertComment: '',
    CostEstimateAmount: 1.5,
    ApprovedAmount: null,
  };
  expect(echoAnswer.parse(stated)).toEqual({
    id: 'a',
    status: 'Final',
    comment: '',
    costEstimateRappen: 150,
    approvedRappen: null,
  });
  const nothing = {
    id: undefined,
    status: undefined,
    comment: undefined,
    costEstimateRappen: undefined,
    approvedRappen: undefined,
  };
  expect(echoAnswer.parse({})).toEqual(nothing);
  const odd = Object.fromEntries(Object.keys(stated).map((name) => [name, { a: 1 }]));
  expect(echoAnswer.parse(odd)).toEqual(nothing);
});

it('a submission has what is sent of it; a single one has no revision', () => {
  const sent = { Id: id, ClaimId: id, SequenceNo: 2, Status: 'Submitted', Comment: 'c' };
  const times = { SubmittedAt: at, CreatedAt: at, UpdatedAt: '2026-06-02T08:00:00Z' };
  const found = { id, caseId: id, sequenceNo: 2, status: 'Submitted', comment: 'c' };
  expect(submissionAnswer.parse({ ...sent, ...times, RevisionNo: 4 })).toEqual({
    ...found,
    revisionNo: 4,
    submittedAt: at,
    createdAt: at,
    updatedAt: '2026-06-02T08:00:00Z',
  });
  expect(submissionAnswer.parse({ ...sent, CreatedAt: at })).toEqual({
    ...found,
    revisionNo: 1,
    submittedAt: null,
    createdAt: at,
    updatedAt: at,
  });
  expect(submissionAnswer.parse(sent)).toMatchObject({ createdAt: '', updatedAt: '' });
});

describe('a page', () => {
  const page = pageAnswer(z.string());
  const tolerant = tolerantPageAnswer(documentAnswer);
  const incomplete = { reason: 'missing', seen: 1, total: 2 };

  it('has what is sent of it', () => {
    expect(
      page.parse({ Total: 2, Page: 1, Size: 1, Incomplete: incomplete, Items: ['a'] }),
    ).toEqual({ total: 2, size: 1, incomplete, items: ['a'] });
    expect(page.parse({ Total: 0, Items: null })).toEqual({ total: 0, size: null, items: [] });
    const odd = { Total: 0, Page: null, Size: null, Incomplete: 'yes', Items: [] };
    expect(page.parse(odd)).toEqual({ total: 0, size: null, items: [] });
  });

  it.each([
    { Items: [] },
    { Total: 1 },
    { Total: -1, Items: [] },
    { Total: 0.5, Items: [] },
    { Total: 1, Page: 0, Items: [] },
    { Total: 1, Size: 0, Items: [] },
    { Total: 1, Items: [1] },
  ])('%j is none', (value) => {
    expect(page.safeParse(value).success).toBe(false);
  });

  it('with a faulty item has the others, and the fault with its place', () => {
    const odd = { Id: 'b', SizeBytes: { a: 'x' } };
    const found = tolerant.parse({
      Total: 3,
      Incomplete: incomplete,
      Items: [{ Id: 'a' }, odd, { FileName: 'x' }],
    });
    expect(found).toMatchObject({ total: 3, incomplete, items: [{ id: 'a' }] });
    expect(found.unreadable).toEqual([
      { id: 'b', place: 'SizeBytes', json: JSON.stringify(odd) },
      {
        id: expect.stringMatching(/^#[0-9a-f]{12}$/) as string,
        place: 'Id',
        json: '{"FileName":"x"}',
      },
    ]);
    expect([countOf(found), countOf({ total: 9, size: null, items: [1] })]).toEqual([3, 1]);
    expect(() => assertReadable('X6', found.unreadable)).toThrow(
      expect.objectContaining({
        problem: { code: 'answer_invalid', params: { operation: 'X6', detail: 'SizeBytes' } },
      }) as Error,
    );
    expect(() => assertReadable('X6', [])).not.toThrow();
    const [, other] = tolerant.parse({ Total: 2, Items: [{ a: 1 }, { a: 2 }] }).unreadable;
    expect(other?.id).not.toBe(tolerant.parse({ Total: 1, Items: [{ a: 1 }] }).unreadable[0]?.id);
  });

  it('names the place of a fault within a record', () => {
    const insurer = { Responsible: { Name: 7 } };
    const cases = tolerantPageAnswer(caseAnswer);
    const { unreadable } = cases.parse({ Total: 1, Items: [{ ...wire(1), Insurer: insurer }] });
    expect(unreadable).toMatchObject([{ place: 'Insurer.Responsible.Name' }]);
  });

  it.each(['repeats', 'endless', 'missing', 'changing'])(
    'may be of a list that is incomplete, because it is %s',
    (reason) => {
      const value = { Total: 2, Incomplete: { ...incomplete, reason }, Items: [] };
      expect(page.parse(value).incomplete).toEqual({ ...incomplete, reason });
    },
  );

  it('stores a faulty item of up to a million characters', () => {
    const jsonOf = (item: unknown) =>
      tolerant.parse({ Total: 1, Items: [item] }).unreadable[0]?.json;
    const most = 'x'.repeat(1_000_000 - '""'.length);
    expect(jsonOf(most)).toBe(`"${most}"`);
    expect(jsonOf(`${most}x`)).toBeNull();
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(jsonOf(deep)).toBeNull();
  });
});

describe('a token', () => {
  it('is used as it is, with the lifetime that it states', () => {
    const lifetimeOf = (expires_in?: unknown) =>
      tokenAnswer.parse({ access_token: 'a', expires_in }).expiresInS;
    expect(tokenAnswer.parse({ access_token: '!~', expires_in: 1.5 })).toEqual({
      value: '!~',
      expiresInS: 1.5,
    });
    expect(['12', 'a12', '12s', '', null, undefined, {}].map(lifetimeOf)).toEqual([
      12,
      ...Array.from({ length: 6 }, () => null),
    ]);
  });

  it('fits into a header', () => {
    const isUsable = (access_token: unknown) => tokenAnswer.safeParse({ access_token }).success;
    expect(isUsable('x'.repeat(16_384))).toBe(true);
    for (const token of ['x'.repeat(16_385), '', ' a', 'a ', 'a b', 'a\nb', 'ä', null])
      expect(isUsable(token)).toBe(false);
  });
});
