import type { Readable } from 'node:stream';
import type {
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
  Meta,
} from '@orpc/contract';
import type { BatchAttachment } from '#shared/desk/batch.ts';
import type { calls } from '#shared/desk/contract.ts';
import type { DocumentTaker } from '#shared/desk/documents.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { PracticeInsurer } from '#shared/desk/practice.ts';
import type { Attachment, ReportDraft } from '#shared/desk/reports.ts';
import type { AddedTemplate } from '#shared/desk/templates.ts';
import type { PathQuestion } from '#shared/desk/work-package.ts';
import type { FaultLog } from '#main/log/faults.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { Rendition } from '#shared/photos/details.ts';
import type { PartnerClientOptions } from '../partner/partner-client.ts';
import type { ClientLogEntry } from '../partner/signed-request.ts';
import type { ShellLanguages } from './home/settings.ts';
import type { Vault } from './keys/vault.ts';
import type { DeskPolicy } from './policy-schema.ts';
import type { IncomingFile } from './work/take-file.ts';

type Groups = typeof calls;

type Procedure<Input extends AnySchema, Output extends AnySchema> = ContractProcedure<
  Input,
  Output,
  ErrorMap,
  Meta
>;

type Call<P> =
  P extends Procedure<infer Input, infer Output>
    ? unknown extends InferSchemaInput<Input>
      ? () => Promise<InferSchemaOutput<Output>>
      : (input: InferSchemaInput<Input>) => Promise<InferSchemaOutput<Output>>
    : never;

type Handler<P> =
  P extends Procedure<infer Input, infer Output>
    ? (
        input: InferSchemaOutput<Input>,
      ) => InferSchemaInput<Output> | Promise<InferSchemaInput<Output>>
    : never;

/**
 * The contract's calls. Inputs and outputs are checked by its schemas (door.ts); each call rejects
 * with a `DeskError` and with nothing else on purpose.
 */
export type Calls = {
  readonly [Group in keyof Groups]: {
    [Name in keyof Groups[Group]]: Call<Groups[Group][Name]>;
  };
};

/** What answers the calls: behind the door inputs are checked and defaults filled in. */
export type Handlers = {
  readonly [Group in keyof Groups]: {
    [Name in keyof Groups[Group]]: Handler<Groups[Group][Name]>;
  };
};

/** A decrypted byte stream, whole or a range. */
export interface FileStream {
  readonly stream: Readable;
  readonly fileName: string;
  readonly contentType: string;
  /** Of the whole file, regardless of the range. */
  readonly sizeBytes: number;
}

/** First and last byte, both inclusive (RFC 9110 section 14). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The byte streams next to the contract (shared/desk/contract.ts). */
export interface Files {
  /** Fetches the document first if it is not on the laptop. */
  openDocument: (caseId: string, documentId: string, range?: ByteRange) => Promise<FileStream>;
  openAttachment: (draftId: string, attachmentId: string, range?: ByteRange) => Promise<FileStream>;
  /** The original file, regardless of later edits. */
  openOriginal: (draftId: string, attachmentId: string, range?: ByteRange) => Promise<FileStream>;
  /** Takes the bytes in whole before it resolves; a refused file leaves the draft as it was. */
  addAttachment: (draftId: string, file: IncomingFile) => Promise<Attachment>;
  /** A file that was announced for a batch; a refusal is stored with it. */
  addBatchFile: (
    batchId: string,
    path: string,
    file: Pick<IncomingFile, 'content' | 'isSeen'>,
  ) => Promise<BatchAttachment | null>;
  /** What is sent in place of the original from now on; the original stays on the laptop. */
  setRendition: (
    draftId: string,
    attachmentId: string,
    file: IncomingFile,
    rendition: Rendition,
  ) => Promise<Attachment>;
  /** Stores a template of the office, unless the check finds something in it. */
  addTemplate: (file: IncomingFile) => Promise<AddedTemplate>;
  /** As `addAttachment`, in the place of a file of the draft, whose mark stays. */
  replaceAttachment: (
    draftId: string,
    attachmentId: string,
    file: IncomingFile,
  ) => Promise<Attachment>;
}

/** A report made at once. Its files are taken in their order. */
export interface NewReport {
  readonly comment: string;
  readonly files: readonly IncomingFile[];
  /** Name or id of a template that is filled with the case and the photos among the files. */
  readonly template?: { readonly name: string; readonly asPdf: boolean };
  /** Queues it; otherwise it stays a draft. */
  readonly submit: boolean;
}

/** The desk's engine, as the shells see it: the contract's calls and what no contract can carry. */
export interface Engine extends Calls {
  readonly files: Files;
  /** Draft, files and queueing as one, for the command line: a failure leaves nothing behind. */
  makeReport(caseRef: string, report: NewReport): Promise<ReportDraft>;
  /** Resolves when the texts of the documents here are in the search, or unreadable; never rejects. */
  readTexts(): Promise<void>;
  /** From now on rounds run automatically; the command line syncs only when asked. */
  startSchedule(): void;
  /** Every event from now on, until the signal fires or the engine closes. */
  events(signal?: AbortSignal): AsyncIterable<DeskEvent>;
  /** Waits for running writes, closes the databases, releases the home. */
  close(): Promise<void>;
}

/** A practice service, running. */
export interface Practice {
  readonly baseUrl: string;
  readonly audience: string;
  readonly expert: {
    readonly clientId: string;
    readonly privateKeyPem: string;
    readonly organizationId: string;
  };
  readonly partner: PracticeInsurer;
  /** The limits of this service. */
  readonly limits: PartnerClientOptions['limits'];
  stop(): Promise<void>;
}

/**
 * Starts the practice service; given by shells that have one, because the engine knows no service.
 * `storeKey` (64 hex digits) encrypts what it stores in `dataDir`.
 */
export type PracticeStarter = (options: { dataDir: string; storeKey: string }) => Promise<Practice>;

export interface EngineOptions {
  /** Folder of everything that this desk stores; created if missing. */
  readonly home: string;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  /** What IT has set for this machine; a value that is set wins over the user's. */
  readonly policy?: DeskPolicy;
  /** What the shell knows of the language; without it the settings decide, then German. */
  readonly languages?: ShellLanguages;
  /** Certificate authorities that IT has added, and the shell's network stack. */
  readonly network?: Pick<PartnerClientOptions, 'certificateAuthorities' | 'createTransport'>;
  /**
   * Gives the file at a path to another program; resolves with whether there was one. Absent without
   * a window.
   */
  readonly handOver?: (path: string, to: DocumentTaker) => Promise<boolean>;
  /** Asks the user for a file or folder; null if none was chosen. Absent without a dialog. */
  readonly choosePath?: (question: PathQuestion) => Promise<string | null>;
  /** The program that makes a PDF, null if it is missing; by default LibreOffice of this device. */
  readonly findOffice?: () => string | null;
  /** Absent on the command line: there is then no workspace without a connection. */
  readonly practice?: PracticeStarter;
  /** Unexpected errors, each with a reference. */
  readonly log: FaultLog;
  /** Requests by operation, status, duration and correlation id; never a body or a token. */
  readonly onRequest?: (entry: ClientLogEntry) => void;
}
