import { EventEmitter, on } from 'node:events';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { noDetails } from '#shared/photos/details.ts';
import type { CaseDetail } from '#shared/desk/cases.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { DeskInfo } from '#shared/desk/workspace.ts';
import { behindDoor } from '#main/engine/door.ts';
import type { Engine, Files, Handlers } from '#main/engine/engine.ts';
import type { BrowserShell } from '#main/browser/browser-shell.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { caseSummary, queueItem } from './desk-records.ts';
import { faultLog } from './fault-log.ts';

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

const workspace = {
  id: 'w1',
  kind: 'practice',
  name: 'Practice',
  baseUrl: 'http://127.0.0.1:1',
  clientId: 'c1',
  kept: true,
} as const;
const info: DeskInfo = {
  version: '0.1.0',
  contractVersion: 1,
  workspace,
  workspaces: [workspace],
  practice: true,
};

/** What a test changes of the stub: handlers by group, byte streams, events. */
export interface StubParts {
  readonly handlers?: { [Group in keyof Handlers]?: Partial<Handlers[Group]> };
  readonly files?: Partial<Files>;
  readonly events?: Engine['events'];
  readonly log?: FaultLog;
}

/** What a shell's test sees of the engine, and how it makes things happen there. */
export interface StubEngine {
  readonly engine: Engine;
  readonly handlers: Handlers;
  emit(event: DeskEvent): void;
  /** Subscriptions to events that are open now. */
  readonly open: { subscriptions: number };
  /** Of the document, as the partner calls it. */
  contentType: string;
  readonly uploads: { draftId: string; fileName: string; salvage: boolean; bytes: number }[];
}

/** A stand-in for the engine behind the real door, just large enough for bridge and shells. */
export function createStubEngine(parts: StubParts = {}): StubEngine {
  const events = new EventEmitter();
  const open = { subscriptions: 0 };
  const uploads: StubEngine['uploads'] = [];
  const { handlers: given = {} } = parts;
  // A call that no test of a shell asks for answers nothing, which breaks the contract.
  const handlers = {
    ...given,
    desk: {
      info: () => info,
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
  } as Handlers;
  const files = {
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
    openAttachment: () => Promise.reject(new DeskError('document_not_found')),
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
    openOriginal: () => Promise.reject(new DeskError('document_not_found')),
    addTemplate: () => Promise.reject(new DeskError('document_not_found')),
    addBatchFile: () => Promise.reject(new DeskError('draft_not_found')),
    setRendition: () => Promise.reject(new DeskError('document_not_found')),
    replaceAttachment: () => Promise.reject(new DeskError('document_not_found')),
    ...parts.files,
  } satisfies Files;
  const subscribe: Engine['events'] = async function* (signal) {
    open.subscriptions += 1;
    try {
      yield { type: 'alive', at: '2026-05-01T08:00:00Z' };
      for await (const [event] of on(events, 'event', signal ? { signal } : {}))
        yield event as DeskEvent;
    } catch (error) {
      if (!signal?.aborted) throw error;
    } finally {
      open.subscriptions -= 1;
      events.emit('closed');
    }
  };
  const engine: Engine = {
    ...behindDoor(handlers, { log: parts.log ?? faultLog }),
    files,
    events: parts.events ?? subscribe,
    makeReport: () => Promise.reject(new Error('no shell makes a report')),
    readTexts: () => Promise.resolve(),
    startSchedule: () => undefined,
    close: () => Promise.resolve(),
  };
  const stub: StubEngine = {
    ...{ engine, handlers, open, uploads, contentType: 'application/pdf' },
    emit: (event) => events.emit('event', event),
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
