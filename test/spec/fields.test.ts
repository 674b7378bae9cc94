import { beforeAll, describe, expect, test } from 'vitest';
import { documentContentTypes } from '#shared/api/document.ts';
import {
  acceptedCase,
  anyString,
  backoffice,
  contents,
  createClaimOver,
  expectDone,
  handIn,
  titleOf,
  upload,
} from '../main/service/support/claims.ts';
import { documentSamples } from '../support/sample-files.ts';
import type { Partner } from '../main/service/support/partner.ts';
import { shareService } from '../main/service/support/service.ts';

/** The specification, "Resources and their fields": no field more, none less, each of its type. */
const uuid: unknown = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const dateTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const contact = {
  Name: anyString,
  Responsible: { Name: anyString, Email: anyString, Phone: anyString },
};
const insurerContact = { ...contact, Name: 'Säntis Versicherungen AG' };
const record = {
  Id: uuid,
  ExternalKey: anyString,
  Category: 'special',
  Status: 'ExpertCompleted',
  CreatedAt: dateTime,
  UpdatedAt: dateTime,
  ExpertComment: 'gut',
  PayloadJson: anyString,
  ArchiveState: false,
  HailDriveInAccepted: false,
  LastChangedAt: dateTime,
  CostEstimateAmount: 1000.5,
  ApprovedAmount: 900,
  SavingsAmount: 100.5,
};
const document = {
  Id: uuid,
  FileName: 'Gutachten.pdf',
  ContentType: 'application/pdf',
  SizeBytes: contents.pdf.length,
  CreatedAt: dateTime,
};
const submission = {
  Id: uuid,
  ClaimId: uuid,
  SequenceNo: 1,
  Status: 'Submitted',
  Comment: 'Bericht',
  SubmittedAt: dateTime,
  CreatedAt: dateTime,
  UpdatedAt: dateTime,
};
const submissionDocument = {
  ...document,
  SubmissionId: uuid,
  ClaimId: uuid,
  Kind: 'Report',
  IsSalvageSale: false,
};
const content = { ContentBase64: contents.pdf.toString('base64') };
const pageOf = (...Items: object[]) => ({ Total: Items.length, Page: 1, Size: 50, Items });

const { service, insurer, expert } = await shareService();
let claimId: string;
let submissionId: string;
let documentId: string;
/** What the operations that make something answered. */
const made: Record<string, unknown> = {};

beforeAll(async () => {
  made['I2'] = await createClaimOver(insurer);
  claimId = (await acceptedCase(service, insurer)).Id;
  const make = async (
    id: string,
    partner: Partner,
    method: string,
    path: string,
    body?: object,
  ) => {
    made[id] = (await expectDone(partner.request(method, path, { body }))).json;
    return made[id] as { Id: string };
  };
  const path = `/v1/experts/cases/${claimId}`;
  const claimDocuments = `/v1/insurers/claims/${claimId}/documents`;
  documentId = (await make('I6', insurer, 'POST', claimDocuments, upload())).Id;
  await make('X3', expert, 'PUT', `${path}/expert-comment`, { Text: 'gut' });
  const amounts = { CostEstimateAmount: 1000.5, ApprovedAmount: 900 };
  await make('X4', expert, 'PUT', `${path}/amounts`, amounts);
  submissionId = (await make('X8', expert, 'POST', `${path}/reports:draft`, { Comment: '' })).Id;
  await make('X9', expert, 'PUT', `${path}/reports:draft`, { Comment: 'Bericht' });
  const report = `/v1/experts/reports/${submissionId}`;
  await make('X13', expert, 'POST', `${report}/documents`, upload());
  await make('X15', expert, 'POST', `${report}/submit`);
});

const claim = () => `/v1/insurers/claims/${claimId}`;
const ofCase = () => `/v1/experts/cases/${claimId}`;
const report = { ...submission, RevisionNo: 1 };
const reading: [string, () => Partner, () => string, object][] = [
  ['X2', () => expert, ofCase, { ...record, Insurer: insurerContact }],
  ['X1', () => expert, () => '/v1/experts/cases', pageOf({ ...record, Insurer: insurerContact })],
  ['I4', () => insurer, claim, { ...record, Expert: contact, LastReportApprovedAt: null }],
  ['I5', () => insurer, () => `${claim()}/documents`, pageOf(document)],
  ['X6', () => expert, () => `${ofCase()}/documents`, pageOf(document)],
  ['I7', () => insurer, () => `${claim()}/documents/${documentId}`, { ...document, ...content }],
  ['X7', () => expert, () => `${ofCase()}/documents/${documentId}`, { ...document, ...content }],
  ['I8', () => insurer, () => `${claim()}/reports`, pageOf(report)],
  ['X10', () => expert, () => `${ofCase()}/reports`, pageOf(report)],
  ['X11', () => expert, () => `${ofCase()}/reports/${submissionId}`, submission],
  [
    'I9',
    () => insurer,
    () => `${claim()}/reports/${submissionId}/documents`,
    pageOf({ ...submissionDocument, ...content }),
  ],
  [
    'X12',
    () => expert,
    () => `/v1/experts/reports/${submissionId}/documents`,
    pageOf({ ...submissionDocument, ...content }),
  ],
];

describe('fields', () => {
  test.each(reading)('fields: %s reads exactly what the specification lists', async (...row) => {
    const [, partner, path, expected] = row;
    const answer = await partner().request('GET', path());
    expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(answer.json).toEqual(expected);
  });

  const draft = { ...submission, Status: 'Draft', SubmittedAt: null };
  const { Id, ExternalKey, Category, PayloadJson } = record;
  test.each([
    ['I2', { Id, ExternalKey, Category, Status: 'Created', PayloadJson }],
    ['I6', document],
    ['X3', undefined],
    ['X4', undefined],
    ['X8', { ...draft, Comment: '' }],
    ['X9', draft],
    ['X13', submissionDocument],
    ['X15', submission],
  ])('fields: %s answers with exactly what the specification lists', (id, expected) => {
    expect(made[id]).toEqual(expected);
  });
});

/** The decisions, "Documents". */
const acceptedTypes = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/tiff',
  'text/plain',
  'text/csv',
  'message/rfc822',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

test.each(documentContentTypes)(
  'I6: %s is accepted, and held to its signature',
  async (ContentType) => {
    const add = (content: Buffer) =>
      insurer.request('POST', `${claim()}/documents`, { body: upload(content, { ContentType }) });
    expect((await add(documentSamples[ContentType].content)).status).toBe(201);
    const answer = await add(Buffer.from([0, 1, 2, 3]));
    const isText = ContentType.startsWith('text/');
    expect([answer.status, titleOf(answer)]).toEqual(
      isText ? [201, undefined] : [400, 'invalid_document'],
    );
  },
);

test('I6: no other type is accepted', () => {
  expect([...documentContentTypes].sort()).toEqual(acceptedTypes.sort());
});

describe('LastChangedAt', () => {
  async function readBoth(id: string) {
    const [asInsurer, asExpert] = await Promise.all([
      expectDone(insurer.request('GET', `/v1/insurers/claims/${id}`)),
      expectDone(expert.request('GET', `/v1/experts/cases/${id}`)),
    ]);
    const mine = asInsurer.json as { LastChangedAt: string; LastReportApprovedAt: string | null };
    expect(asExpert.json).toMatchObject({ LastChangedAt: mine.LastChangedAt });
    return mine;
  }

  test('LastChangedAt: every partner-visible change advances it to the time of the change', async () => {
    const { Id } = await createClaimOver(insurer);
    const path = `/v1/experts/cases/${Id}`;
    const ids = { submission: '', document: '' };
    const report = () => `/v1/experts/reports/${ids.submission}`;
    const move = (name: string, body?: object) => () =>
      backoffice(service, 'POST', `/claims/${Id}/${name}`, body);
    const judge = (verdict: string) => () =>
      backoffice(service, 'POST', `/reports/${ids.submission}/${verdict}`);
    const ask = (method: string, of: () => string, body?: object) => () =>
      expert.request(method, of(), { body });
    const draft = ask('POST', () => `${path}/reports:draft`, { Comment: '' });
    const attach = ask('POST', () => `${report()}/documents`, upload());
    const submit = ask('POST', () => `${report()}/submit`);
    const expertOrganization = { ExpertOrganizationId: service.credentials.expert.organizationId };
    const changes: [string, () => ReturnType<Partner['request']>][] = [
      ['assign', move('assign', expertOrganization)],
      ['accept', move('accept')],
      [
        'I6',
        () => insurer.request('POST', `/v1/insurers/claims/${Id}/documents`, { body: upload() }),
      ],
      ['X3', ask('PUT', () => `${path}/expert-comment`, { Text: 'a' })],
      ['X4', ask('PUT', () => `${path}/amounts`, { CostEstimateAmount: 2, ApprovedAmount: 1 })],
      ['X8', draft],
      ['X9', ask('PUT', () => `${path}/reports:draft`, { Comment: 'b' })],
      ['X13', attach],
      ['X14', ask('DELETE', () => `${report()}/documents/${ids.document}`)],
      ['X13', attach],
      ['X15', submit],
      ['return', judge('return')],
      ['X8', draft],
      ['X13', attach],
      ['X15', submit],
      ['approve', judge('approve')],
      ['finalize', move('finalize')],
      ['X5', ask('POST', () => `${path}:reopen`, { Reason: 'a' })],
      ['archive', move('archive')],
      ['cancel', move('cancel')],
    ];
    let approvedAt: string | null = null;
    for (const [name, change] of changes) {
      service.clock.advance(1000);
      const now = new Date(service.clock.now()).toISOString();
      const answer = await expectDone(change());
      const { Id: made = '' } = (answer.json ?? {}) as { Id?: string };
      if (name === 'X8') ids.submission = made;
      if (name === 'X13') ids.document = made;
      if (name === 'approve') approvedAt = now;
      const read = await readBoth(Id);
      expect([name, read.LastChangedAt]).toEqual([name, now]);
      expect([name, read.LastReportApprovedAt]).toEqual([name, approvedAt]);
    }
  });

  test('LastReportApprovedAt: is the time of the latest approval', async () => {
    const { Id } = await acceptedCase(service, insurer);
    for (let count = 0; count < 2; count += 1) {
      service.clock.advance(1000);
      const one = await handIn(expert, Id);
      service.clock.advance(1000);
      await expectDone(backoffice(service, 'POST', `/reports/${one}/approve`));
      const approvedAt = new Date(service.clock.now()).toISOString();
      expect(await readBoth(Id)).toMatchObject({ LastReportApprovedAt: approvedAt });
    }
  });
});
