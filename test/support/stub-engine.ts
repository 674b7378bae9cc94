import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { noDetails } from '#shared/photos/details.ts';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Engine, Files } from '#main/engine/engine.ts';
import type { LinePurpose } from '#shared/desk/contract/page-proof.ts';
import type { BrowserShell } from '#main/browser/browser-shell.ts';
import { type ByteRequest, createByteLines } from '#renderer/transport/byte-lines.ts';
import { prove } from '#renderer/transport/prove.ts';
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
  caseId,
  externalKey: caseDetail.externalKey,
  kind: 'comment',
  waitingFor: 'network',
  act: { kind: 'comment', text: 'seen' },
});

/** The parts of the stub that a test changes: handlers by group, byte streams, events. */
export interface StubParts {
  readonly handlers?: SomeHandlers;
  readonly files?: Partial<Files>;
  readonly events?: Engine['events'];
  readonly log?: FaultLog;
}

/** The engine as a shell's test sees it, with the means to cause events. */
export interface StubEngine {
  readonly engine: Engine;
  emit(event: DeskEvent): void;
  /** The number of open subscriptions to events. */
  readonly open: { subscriptions: number };
  /** The content type of the document, as the partner states it. */
  contentType: string;
  readonly uploads: { draftId: string; fileName: string; salvage: boolean; bytes: number }[];
}

/**
 * Creates an engine in memory for tests of bridge and shells, with one case, one document and the
 * test's own parts. The window's tests use another one, which stores the user's work
 * (createFakeEngine).
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
    open,
    uploads,
    emit,
    contentType: 'application/pdf',
  };
  return stub;
}

/** Creates a log that collects its entries. */
export function createLogStub(): {
  lines: { fields: Readonly<Record<string, unknown>>; message: string }[];
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
} {
  const lines: { fields: Readonly<Record<string, unknown>>; message: string }[] = [];
  return { lines, error: (fields, message) => lines.push({ fields, message }) };
}

/** A page that has opened the browser shell by a new address and proved itself. */
export interface StubPage {
  /** The page's secret from now on. */
  readonly session: string;
  /** Opens a socket on which both ends have proved themselves. */
  open(purpose: LinePurpose): Promise<WebSocket>;
  readonly ask: ByteRequest;
  readonly close: () => void;
}

/** @param shell opened at its plain address, as by a browser that knows no local names */
export async function openPage(shell: Pick<BrowserShell, 'invite'>): Promise<StubPage> {
  const { host, hash } = new URL(shell.invite());
  const get = request({ host: '127.0.0.1', port: host.split(':')[1], headers: plainNavigation });
  get.end();
  const [answer] = (await once(get, 'response')) as [IncomingMessage];
  answer.resume();
  const opened: WebSocket[] = [];
  let session = hash.slice('#token='.length);
  const open = async (purpose: LinePurpose): Promise<WebSocket> => {
    // The cast is safe: Node's own WebSocket accepts headers, which the browser's types lack.
    const options = { headers: { origin: `http://${host}` } } as unknown as string[];
    const socket = new WebSocket(`ws://${host}/${purpose}`, options);
    socket.binaryType = 'arraybuffer';
    opened.push(socket);
    const next = await prove(socket, session, { purpose, authority: host });
    if (opened.length === 1) session = next;
    return socket;
  };
  await open('contract');
  return {
    session,
    open,
    ask: createByteLines(() => open('bytes')),
    close: () => opened.forEach((socket) => socket.close()),
  };
}

/** The headers of a browser that opens an address and knows no names under `localhost`. */
export const plainNavigation = {
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'none',
  'user-agent': 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
};
