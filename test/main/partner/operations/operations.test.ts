import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { caseOperations } from '#main/partner/operations/case-operations.ts';
import { gatewayOperations } from '#main/partner/operations/gateway-operations.ts';
import { reportOperations } from '#main/partner/operations/report-operations.ts';
import type { Call, Caller, DeliveryOptions } from '#main/partner/requests/call.ts';
import { requestsOver } from '#main/partner/requests/requests.ts';
import { problemOf } from '../../engine/support/test-client.ts';
import {
  caseId,
  caseRecord,
  documentId,
  documentRecord,
  sourceOf,
  submissionId,
  submissionRecord,
  uploadedRecord,
} from '../client/hostile-partner.ts';

/* What each operation asks for, with whose priority, and which answer it takes. */

interface Asked {
  readonly call: Pick<Call<unknown>, 'operation' | 'params' | 'query'>;
  readonly body: string | null;
  readonly options: DeliveryOptions | undefined;
}

async function textOf(body: ReturnType<NonNullable<Call<unknown>['body']>>): Promise<string> {
  if (!('pieces' in body)) return Buffer.from(body).toString();
  const pieces: Uint8Array[] = [];
  for await (const { bytes, taken } of body.pieces()) {
    pieces.push(Buffer.from(bytes));
    taken?.();
  }
  return Buffer.concat(pieces).toString();
}

/** The operations at a partner that gives this answer, and what it was asked. */
function operationsWith(value: unknown) {
  const asked: Asked[] = [];
  const caller: Caller = async (call, options) => {
    const { operation, params, query } = call;
    const body = call.body ? await textOf(call.body()) : null;
    asked.push({
      call: { operation, ...(params && { params }), ...(query && { query }) },
      body,
      options,
    });
    const text = value === undefined ? '' : JSON.stringify(value);
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Readable.from([Buffer.from(text)]),
    };
    const exchanged = {
      answer,
      host: 'partner.example',
      correlationId: 'theirs',
      serverDateMs: null,
      corrected: false,
      nonceOffered: false,
    };
    return {
      value: await call.read(exchanged),
      status: 200,
      correlationId: '',
      serverDateMs: null,
    };
  };
  const requests = requestsOver(caller);
  return {
    ...caseOperations(requests),
    ...reportOperations(requests),
    ...gatewayOperations(requests),
    asked,
  };
}
type Operations = ReturnType<typeof operationsWith>;

const page = { page: 2, size: 50 };
const paged = { page: '2', size: '50' };
const options: DeliveryOptions = { priority: 'delivery', idempotencyKey: 'key' };
const pageOf = (item: object) => ({ Total: 1, Page: 1, Size: 50, Items: [item] });
const [ofCase, ofSubmission] = [{ caseId }, { submissionId }];
const written = { ...uploadedRecord, ContentBase64: 'YWJj' };

describe('an operation', () => {
  it.each<[string, (all: Operations) => Promise<unknown>, object, unknown, string | null]>([
    [
      'X1',
      (all) => all.listCases({ ...page, lastChangedSince: 'then' }, options),
      { query: { lastChangedSince: 'then', ...paged } },
      pageOf(caseRecord),
      null,
    ],
    ['X2', (all) => all.getCase(caseId, options), { params: ofCase }, caseRecord, null],
    [
      'X3',
      (all) => all.putComment(caseId, 'text', options),
      { params: ofCase },
      undefined,
      '{"Text":"text"}',
    ],
    [
      'X4',
      (all) =>
        all.putAmounts(caseId, { costEstimateRappen: 12_345, approvedRappen: null }, options),
      { params: ofCase },
      undefined,
      '{"CostEstimateAmount":123.45,"ApprovedAmount":null}',
    ],
    [
      'X4',
      (all) => all.putAmounts(caseId, { costEstimateRappen: null, approvedRappen: 0 }, options),
      { params: ofCase },
      undefined,
      '{"CostEstimateAmount":null,"ApprovedAmount":0}',
    ],
    [
      'X5',
      (all) => all.reopen(caseId, 'why', options),
      { params: ofCase },
      undefined,
      '{"Reason":"why"}',
    ],
    [
      'X6',
      (all) => all.listDocuments(caseId, page, options),
      { params: ofCase, query: paged },
      pageOf(documentRecord),
      null,
    ],
    [
      'X7',
      (all) => all.fetchDocument(caseId, documentId, () => undefined, options),
      { params: { caseId, documentId } },
      { ...documentRecord, ContentBase64: 'YWJj' },
      null,
    ],
    [
      'X8',
      (all) => all.createDraft(caseId, 'text', options),
      { params: ofCase },
      submissionRecord,
      '{"Comment":"text"}',
    ],
    [
      'X9',
      (all) => all.updateDraft(caseId, 'text', options),
      { params: ofCase },
      submissionRecord,
      '{"Comment":"text"}',
    ],
    [
      'X10',
      (all) => all.listReports(caseId, page, options),
      { params: ofCase, query: paged },
      pageOf(submissionRecord),
      null,
    ],
    [
      'X11',
      (all) => all.getReport(caseId, submissionId, options),
      { params: { caseId, submissionId } },
      submissionRecord,
      null,
    ],
    [
      'X12',
      (all) => all.listSubmissionDocuments(submissionId, page, options),
      { params: ofSubmission, query: paged },
      pageOf(written),
      null,
    ],
    [
      'X12',
      (all) => all.fetchSubmissionDocument(submissionId, 7, () => undefined, options),
      { params: ofSubmission, query: { page: '7', size: '1' } },
      pageOf(written),
      null,
    ],
    [
      'X14',
      (all) => all.deleteSubmissionDocument(submissionId, documentId, options),
      { params: { submissionId, docId: documentId } },
      undefined,
      null,
    ],
    [
      'X15',
      (all) => all.submit(submissionId, options),
      { params: ofSubmission },
      submissionRecord,
      null,
    ],
  ])('%s asks for what it names (%#)', async (operation, run, values, answer, body) => {
    const all = operationsWith(answer);
    await run(all);
    expect(all.asked).toEqual([{ call: { operation, ...values }, body, options }]);
  });

  it('X13 sends the file, and tells how far it is', async () => {
    const all = operationsWith(uploadedRecord);
    const sent: number[] = [];
    const onProgress = (bytes: number) => void sent.push(bytes);
    await all.uploadDocument(submissionId, sourceOf(Buffer.from('abc')), {
      ...options,
      onProgress,
    });
    await all.uploadDocument(submissionId, sourceOf(Buffer.from('abc')));
    const [first, second] = all.asked;
    expect(first?.call).toEqual({ operation: 'X13', params: ofSubmission });
    expect(first?.options).toMatchObject(options);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ ContentBase64: 'YWJj' });
    expect(second?.body).toBe(first?.body);
    expect(sent.at(-1)).toBe(3);
  });

  it('of a gateway is one that the user waits for', async () => {
    const priority = { priority: 'person' };
    const people = operationsWith({ MayAssign: false, Visibility: 'all', Items: [] });
    await people.listPeople();
    expect(people.asked).toEqual([{ call: { operation: 'G1' }, body: null, options: priority }]);
    const handed = operationsWith({ Items: [] });
    await handed.handOver('laptop-1', [caseId]);
    const body = JSON.stringify({ ClientId: 'laptop-1', CaseIds: [caseId] });
    expect(handed.asked).toEqual([{ call: { operation: 'G2' }, body, options: priority }]);
  });

  it('takes no answer about another record', async () => {
    const other = (operation: string) => ({
      code: 'answer_invalid',
      params: { operation, detail: 'Id' },
    });
    const anotherCase = operationsWith({ ...caseRecord, Id: documentId });
    expect(await problemOf(anotherCase.getCase(caseId))).toEqual(other('X2'));
    const anotherReport = operationsWith({ ...submissionRecord, Id: documentId });
    expect(await problemOf(anotherReport.getReport(caseId, submissionId))).toEqual(other('X11'));
    const inCapitals = operationsWith({ ...caseRecord, Id: caseId.toUpperCase() });
    expect((await inCapitals.getCase(caseId)).value.id).toBe(caseId);
  });

  it('of a list keeps the records that it can read', async () => {
    const bad = { Id: 7 };
    const cases = await operationsWith({ Total: 2, Items: [bad, caseRecord] }).listCases(page);
    expect([cases.value.items.length, cases.value.unreadable.length]).toEqual([1, 1]);
    const documents = await operationsWith({ Total: 2, Items: [bad, documentRecord] }) //
      .listDocuments(caseId, page);
    expect([documents.value.items.length, documents.value.unreadable.length]).toEqual([1, 1]);
    const reports = await operationsWith({ Total: 2, Items: [bad, submissionRecord] }) //
      .listReports(caseId, page);
    expect([reports.value.items.length, reports.value.unreadable.length]).toEqual([1, 1]);
  });
});
