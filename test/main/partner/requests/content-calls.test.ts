import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  documentCall,
  submissionDocumentCall,
  submissionDocumentsCall,
} from '#main/partner/requests/content-calls.ts';
import type { Call } from '#main/partner/requests/call.ts';

/** What a call makes of an answer. */
function answered<T>(call: Call<T>, value: unknown, type = 'application/json'): Promise<T> {
  const body = Readable.from([Buffer.from(JSON.stringify(value))]);
  return call.read({
    answer: { status: 200, headers: { 'content-type': type }, body },
    host: 'partner.example',
    correlationId: '',
    serverDateMs: null,
    corrected: false,
    nonceOffered: false,
  });
}
const invalid = (operation: string, detail: string) => ({
  problem: { code: 'answer_invalid', params: { operation, detail } },
});

const fields = { FileName: 'a.pdf', ContentType: 'application/pdf', SizeBytes: 9 };
const CreatedAt = '2026-03-01T10:00:00Z';
const document = (Id: string, more: object = {}) => ({ Id, ...fields, CreatedAt, ...more });
const abc = { ContentBase64: Buffer.from('abc').toString('base64') };
const found = {
  fileName: 'a.pdf',
  contentType: 'application/pdf',
  createdAt: CreatedAt,
};

/** A sink that takes its time, and what it got. */
function createSink() {
  const pieces: Buffer[] = [];
  const sink = async (piece: Uint8Array) => {
    await Promise.resolve();
    pieces.push(Buffer.from(piece));
  };
  return { sink, text: () => Buffer.concat(pieces).toString() };
}

describe('X7', () => {
  it('passes the content on, with the size that arrived, and is not repeated then', async () => {
    const { sink, text } = createSink();
    const call = documentCall('case', 'one', sink);
    expect([call.operation, call.params, call.mayRepeat?.()]).toEqual([
      'X7',
      { caseId: 'case', documentId: 'one' },
      true,
    ]);
    expect(await answered(call, document('one', abc))).toEqual({
      id: 'one',
      ...found,
      sizeBytes: 3,
    });
    expect([text(), call.mayRepeat?.()]).toEqual(['abc', false]);
  });

  it('is of the document that was asked for, with one content', async () => {
    const ask = (value: unknown) => answered(documentCall('case', 'one', createSink().sink), value);
    await expect(ask(document('two', abc))).rejects.toMatchObject(invalid('X7', 'Id'));
    await expect(ask(document('one'))).rejects.toMatchObject(invalid('X7', 'ContentBase64'));
    for (const more of [{ ContentBase64: 0 }, { ...abc, other: abc }]) {
      await expect(ask(document('one', more))).rejects.toMatchObject(
        invalid('X7', 'ContentBase64'),
      );
    }
    const full = new Error('full');
    const call = documentCall('case', 'one', () => Promise.reject(full));
    await expect(answered(call, document('one', abc))).rejects.toBe(full);
  });
});

const ofSubmission = (Id: string, more: object = {}) =>
  document(Id, { SubmissionId: 's', IsSalvageSale: true, ...more });
const foundOfSubmission = { ...found, submissionId: 's', isSalvageSale: true };
const page = (...Items: readonly object[]) => ({ Total: 7, Page: 1, Size: 1, Items });

describe('X12', () => {
  it('has the hash and the size of each content', async () => {
    const call = submissionDocumentsCall('s', { page: 2, size: 5 });
    expect([call.operation, call.params, call.query]).toEqual([
      'X12',
      { submissionId: 's' },
      { page: '2', size: '5' },
    ]);
    const none = { ContentBase64: '' };
    const value = page(ofSubmission('a', abc), { Id: 'odd', ...none }, ofSubmission('b', none));
    const digest = (text: string) => ({
      sha256: createHash('sha256').update(text).digest('hex'),
      sizeBytes: text.length,
    });
    expect(await answered(call, value)).toMatchObject({
      total: 7,
      items: [
        { id: 'a', ...foundOfSubmission, ...digest('abc') },
        { id: 'b', ...foundOfSubmission, ...digest('') },
      ],
      unreadable: [{ id: 'odd', place: 'SubmissionId' }],
    });
    await expect(
      answered(call, page(ofSubmission('a', { ContentBase64: 5 }))),
    ).rejects.toMatchObject(invalid('X12', 'ContentBase64'));
    await expect(answered(call, {})).rejects.toMatchObject(invalid('X12', 'Total'));
  });

  it('for one place passes the content on, which the partner may leave out', async () => {
    const { sink, text } = createSink();
    const call = submissionDocumentCall('s', 3, sink);
    expect([call.operation, call.params, call.query, call.mayRepeat?.()]).toEqual([
      'X12',
      { submissionId: 's' },
      { page: '3', size: '1' },
      true,
    ]);
    expect(await answered(call, page())).toEqual({ total: 7, document: null, hasContent: false });
    expect(await answered(call, page(ofSubmission('a')))).toEqual({
      total: 7,
      document: { id: 'a', ...foundOfSubmission, sizeBytes: 9 },
      hasContent: false,
    });
    expect(call.mayRepeat?.()).toBe(true);
    expect(await answered(call, page(ofSubmission('a', abc)))).toMatchObject({
      document: { id: 'a' },
      hasContent: true,
    });
    expect([text(), call.mayRepeat?.()]).toEqual(['abc', false]);
  });

  it('for one place has one document with one content', async () => {
    for (const value of [
      page(ofSubmission('a', abc), ofSubmission('b')),
      page(ofSubmission('a', { ...abc, other: abc })),
    ]) {
      const call = submissionDocumentCall('s', 1, createSink().sink);
      await expect(answered(call, value)).rejects.toMatchObject(invalid('X12', 'ContentBase64'));
    }
  });
});

it.each([
  ['X7', () => documentCall('case', 'one', createSink().sink)],
  ['X12', () => submissionDocumentsCall('s', { page: 1, size: 1 })],
  ['X12', () => submissionDocumentCall('s', 1, createSink().sink)],
])(
  '%s: a faulty answer is named by its operation, and a foreign one by its host',
  async (id, call) => {
    for (const value of [{ ContentBase64: 'ä' }, {}])
      await expect(answered<unknown>(call(), value)).rejects.toMatchObject({
        problem: { code: 'answer_invalid', params: { operation: id } },
      });
    await expect(answered<unknown>(call(), {}, 'text/html')).rejects.toMatchObject({
      problem: { code: 'captive_portal', params: { host: 'partner.example' } },
    });
  },
);
