import { Readable } from 'node:stream';
import { z } from 'zod';
import { noDetails } from '#shared/photos/details.ts';
import type { CaseDetail } from '#shared/desk/cases.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Engine, Files } from '#main/engine/engine.ts';
import type { BrowserShell } from '#main/browser/browser-shell.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { caseSummary, queueItem } from './desk-records.ts';
import { createMemoryEngine, memoryDesk, type SomeHandlers } from './memory-engine.ts';

export const caseId = '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10';
export const documentId = '0b8c2b9e-5c38-4d0a-8a75-0a3a7f3b2c11';
export const draftId = '9d0f5a52-7f0c-4f7e-8a3f-1a2b3c4d5e12';
export const documentBytes = Buffer.from('0123456789abcdefghij');

const amounts = { costEstimateRappen: 120_050, approvedRappen: null, savingsRappen: null };
const caseDetail: CaseDetail = {
  ...caseSummary({ id: caseId, ...amounts }),
  payloadJson: '{}',
  payload: {},
  server: { expertComment: '', ...amounts },
  reportSent: false,
};
const waitingComment = queueItem({
  ...{ caseId, externalKey: caseDetail.externalKey, kind: 'comment', waitingFor: 'network' },
  act: { kind: 'comment', text: 'seen' },
});

/** What a test changes of the stub: handlers by group, byte streams, events. */
export interface StubParts {
  readonly handlers?: SomeHandlers;
  readonly files?: Partial<Files>;
  readonly events?: Engine['events'];
  readonly log?: FaultLog;
}

/** What a shell's test sees of the engine, and how it makes things happen there. */
export interface StubEngine {
  readonly engine: Engine;
  emit(event: DeskEvent): void;
  /** Subscriptions to events that are open now. */
  readonly open: { subscriptions: number };
  /** Of the document, as the partner calls it. */
  contentType: string;
  readonly uploads: { draftId: string; fileName: string; salvage: boolean; bytes: number }[];
}

/**
 * The engine in memory for tests of bridge and shells: one case with one document, and what the test
 * gives. The window's tests have one that stores what the user does (createFakeEngine).
 */
export function createStubEngine(parts: StubParts = {}): StubEngine {
  const uploads: StubEngine['uploads'] = [];
  const { handlers: given = {} } = parts;
  const handlers = {
    ...given,
    desk: {
      info: () => memoryDesk,
      appearance: () => ({}),
      language: () => 'en' as const,
      setLanguage: () => 'en' as const,
      ...given.desk,
    },
    cases: {
      list: () => ({
        items: [caseDetail],
        total: 1,
        totalIsExact: true,
        byStatus: { InProgress: 1 },
      }),
      history: () => ({ items: [], total: 0 }),
      get: ({ id }: { id: string }) => {
        if (id !== caseId) throw new DeskError('case_not_found', { id });
        return caseDetail;
      },
      setComment: () => waitingComment,
      ...given.cases,
    },
  } satisfies SomeHandlers;
  const files: Partial<Files> = {
    openDocument: (_case, id, range) => {
      if (id !== documentId) return Promise.reject(new DeskError('document_not_found'));
      const { start, end } = range ?? { start: 0, end: documentBytes.length - 1 };
      return Promise.resolve({
        stream: Readable.from([documentBytes.subarray(start, end + 1)]),
        fileName: 'Gutachten (Zürich).pdf',
        contentType: stub.contentType,
        sizeBytes: documentBytes.length,
      });
    },
    addAttachment: async (id, { fileName, content, isSalvageSale = false }) => {
      let bytes = 0;
      for await (const chunk of content) {
        bytes += chunk.length;
        if (bytes > 1_000_000)
          throw new DeskError('file_too_large', {
            fileName,
            sizeBytes: 1_000_001,
            maxBytes: 1_000_000,
          });
      }
      uploads.push({ draftId: id, fileName, salvage: isSalvageSale, bytes });
      return {
        id: documentId,
        fileName,
        contentType: 'application/pdf',
        sizeBytes: bytes,
        sha256: '0'.repeat(64),
        isSalvageSale,
        details: noDetails,
      };
    },
    ...parts.files,
  };
  const { engine, emit, open } = createMemoryEngine(handlers, { files, log: parts.log });
  const stub: StubEngine = {
    engine: parts.events ? { ...engine, events: parts.events } : engine,
    ...{ open, uploads, emit, contentType: 'application/pdf' },
  };
  return stub;
}

/** Collects what would be logged. */
export function createLogStub(): {
  lines: { fields: Readonly<Record<string, unknown>>; message: string }[];
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
} {
  const lines: { fields: Readonly<Record<string, unknown>>; message: string }[] = [];
  return { lines, error: (fields, message) => lines.push({ fields, message }) };
}

/** The secret of a page that has come to the browser shell by a new address. */
export async function openSession(shell: BrowserShell): Promise<string> {
  const { origin, hash } = new URL(shell.invite());
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice('#token='.length) }),
  });
  return z.object({ session: z.string() }).parse(await answer.json()).session;
}
