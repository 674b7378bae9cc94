import type {
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
  Meta,
} from '@orpc/contract';
import type { BatchAttachment } from '#shared/desk/reports/batch.ts';
import type { calls } from '#shared/desk/contract/contract.ts';
import type { DocumentTaker } from '#shared/desk/reports/documents.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { PracticeInsurer } from '#shared/desk/setup/practice.ts';
import type { Attachment, ReportDraft } from '#shared/desk/reports/reports.ts';
import type { AddedTemplate, Signature } from '#shared/desk/reports/templates.ts';
import type { Language } from '#shared/i18n/language.ts';
import type { DeskUpdate, InstallMoment } from '#shared/desk/setup/update.ts';
import type { PathQuestion } from '#shared/desk/setup/work-package.ts';
import type { FaultLog } from '#main/log/faults.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { Rendition } from '#shared/photos/details.ts';
import type { PartnerClientOptions } from '../partner/partner-client.ts';
import type { ClientLogEntry } from '../partner/requests/signed-request.ts';
import type { ByteRange, FileStream } from './blobs/file-stream.ts';
import type { ShellLanguages } from './home/settings.ts';
import type { Vault } from './keys/vault.ts';
import type { DeskPolicy } from './policy-schema.ts';
import type { IncomingFile } from './work/take-file.ts';

export type { ByteRange, FileStream } from './blobs/file-stream.ts';

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
 * The contract's calls. Inputs and outputs are checked by its schemas (door.ts). Each call rejects
 * only with a `DeskError`; any other error is a fault of the program.
 */
export type Calls = {
  readonly [Group in keyof Groups]: {
    [Name in keyof Groups[Group]]: Call<Groups[Group][Name]>;
  };
};

/** The handlers of the calls. They receive inputs that are checked and have their defaults. */
export type Handlers = {
  readonly [Group in keyof Groups]: {
    [Name in keyof Groups[Group]]: Handler<Groups[Group][Name]>;
  };
};

/** The byte streams next to the contract (shared/desk/contract/contract.ts). */
export interface Files {
  /** Opens a document. If it is not on the laptop, it is fetched first. */
  openDocument: (caseId: string, documentId: string, range?: ByteRange) => Promise<FileStream>;
  openAttachment: (draftId: string, attachmentId: string, range?: ByteRange) => Promise<FileStream>;
  /** Opens the original file, regardless of later edits. */
  openOriginal: (draftId: string, attachmentId: string, range?: ByteRange) => Promise<FileStream>;
  /**
   * Adds a file. It resolves after all bytes are stored; if the file is refused, the draft stays
   * unchanged.
   */
  addAttachment: (draftId: string, file: IncomingFile) => Promise<Attachment>;
  /** Stores a file that was announced for a batch. A refusal is stored with the file. */
  addBatchFile: (
    batchId: string,
    path: string,
    file: Pick<IncomingFile, 'content' | 'isSeen'>,
  ) => Promise<BatchAttachment | null>;
  /** Sets the bytes that are sent in place of the original. The original stays on the laptop. */
  setRendition: (
    draftId: string,
    attachmentId: string,
    file: IncomingFile,
    rendition: Rendition,
  ) => Promise<Attachment>;
  /** Stores a template of the office, unless its check finds a fault. */
  addTemplate: (file: IncomingFile) => Promise<AddedTemplate>;
  /** A template that was looked at, as it was added. It is read as a whole. */
  openTemplateFile: (lookId: string) => Promise<FileStream>;
  /** The pages of a template that was looked at, as LibreOffice made them. */
  openTemplatePages: (lookId: string, range?: ByteRange) => Promise<FileStream>;
  /** A copy of a template that was looked at, with a comment of Word at each fault. */
  openMarkedTemplate: (lookId: string, range?: ByteRange) => Promise<FileStream>;
  /** Stores the picture of the appraiser's signature. */
  setSignature: (file: IncomingFile) => Promise<Signature>;
  /** Replaces a file of the draft, as `addAttachment`; the mark of the file stays. */
  replaceAttachment: (
    draftId: string,
    attachmentId: string,
    file: IncomingFile,
  ) => Promise<Attachment>;
}

/** A report that is made in one call. Its files are added in their order. */
export interface NewReport {
  readonly comment: string;
  readonly files: readonly IncomingFile[];
  /** The name or id of a template that is filled with the case and the photos among the files. */
  readonly template?: { readonly name: string; readonly asPdf: boolean };
  /**
   * PDFs and pictures that become one PDF with the report: the filled template, or without one the
   * first of the files.
   */
  readonly annexes?: { readonly files: readonly IncomingFile[]; readonly maxBytes?: number };
  /** Whether to queue the report; otherwise it stays a draft. */
  readonly submit: boolean;
}

/**
 * The engine as the shells see it: the contract's calls, and functions that a contract cannot
 * contain.
 */
export interface Engine extends Calls {
  readonly files: Files;
  /**
   * Makes draft, files and queueing in one step, for the command line. A failure leaves nothing
   * behind.
   */
  makeReport(caseRef: string, report: NewReport): Promise<ReportDraft>;
  /**
   * Resolves when the texts of all documents on the laptop are in the search, or cannot be read. It
   * never rejects.
   */
  readTexts(): Promise<void>;
  /**
   * Starts the automatic rounds. Without this call, as on the command line, the desk syncs only on
   * request.
   */
  startSchedule(): void;
  /** Tells the windows that the shell's `update` answers something else. */
  updateChanged(): void;
  /** Every event from now on, until the signal fires or the engine closes. */
  events(signal?: AbortSignal): AsyncIterable<DeskEvent>;
  /** Waits for running writes, closes the databases, and releases the home. */
  close(): Promise<void>;
}

/** A running practice service. */
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
 * Starts the practice service. Only shells that have one provide this function, because the engine
 * does not know the service. `storeKey` (64 hex digits) encrypts what it stores in `dataDir`. New cases
 * are of the region whose language is given.
 */
export type PracticeStarter = (options: {
  dataDir: string;
  storeKey: string;
  language: Language;
}) => Promise<Practice>;

export interface EngineOptions {
  /** The folder of everything that this desk stores. It is created if it is missing. */
  readonly home: string;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  /** The values that IT has set for this machine. They take precedence over the user's. */
  readonly policy?: DeskPolicy;
  /**
   * The languages that the shell knows. Without them the settings decide, and then German is used.
   */
  readonly languages?: ShellLanguages;
  /** The certificate authorities that IT has added, and the shell's network stack. */
  readonly network?: Pick<PartnerClientOptions, 'certificateAuthorities' | 'createTransport'>;
  /**
   * Gives the file at a path to another program, and returns whether there was one. It is absent
   * without a window.
   */
  readonly handOver?: (path: string, to: DocumentTaker) => Promise<boolean>;
  /**
   * Asks the user for a file or folder; null if none was chosen. It is absent if there is no
   * dialog.
   */
  readonly choosePath?: (question: PathQuestion) => Promise<string | null>;
  /**
   * The newer version that the shell knows, null for none. With a time it is installed then. It is
   * absent if the shell does not look for updates.
   */
  readonly update?: (install: InstallMoment | null) => Promise<DeskUpdate | null>;
  /**
   * The program that makes a PDF; null if it is missing. If absent, LibreOffice of this device is
   * used.
   */
  readonly findOffice?: () => string | null;
  /**
   * The folder with the built page of the telephone. It is absent without a window, which shows the
   * code.
   */
  readonly telephonePage?: string;
  /**
   * Starts the practice service. It is absent on the command line, which therefore has no workspace
   * without a connection.
   */
  readonly practice?: PracticeStarter;
  /** Receives unexpected errors, each with a reference. */
  readonly log: FaultLog;
  /**
   * Receives requests as operation, status, duration and correlation id, but never a body or a
   * token.
   */
  readonly onRequest?: (entry: ClientLogEntry) => void;
}
