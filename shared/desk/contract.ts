import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { categories } from '../api/case.ts';
import { batchContract } from './batch-contract.ts';
import { call } from './call.ts';
import { batchInputSchema, batchResultSchema } from './batch.ts';
import {
  amountsInputSchema,
  caseDetailSchema,
  caseFilterSchema,
  caseHitsInputSchema,
  caseHitsSchema,
  caseIdsInputSchema,
  caseIdsSchema,
  caseListInputSchema,
  caseListSchema,
  caseNoteSchema,
  caseRefSchema,
  commentInputSchema,
  reopenInputSchema,
  editInputSchema,
  editSchema,
  caseViewInputSchema,
  caseViewSchema,
  caseHistorySchema,
} from './cases.ts';
import {
  caseExportInputSchema,
  caseExportSchema,
  selectionExportInputSchema,
  selectionExportSchema,
} from './case-export.ts';
import {
  connectionCheckInputSchema,
  connectionCheckSchema,
  diagnosticsInputSchema,
  diagnosticsPartSchema,
  diagnosticsSchema,
} from './diagnostics.ts';
import {
  caseDocumentListSchema,
  caseDocumentSchema,
  documentRefSchema,
  documentTakers,
  suggestedTotalSchema,
} from './documents.ts';
import {
  dayPlanInputSchema,
  readinessInputSchema,
  readinessSchema,
  todayInputSchema,
  todaySchema,
  visitInputSchema,
  visitSchema,
  visitsInputSchema,
} from './day.ts';
import { deskEventSchema } from './events.ts';
import { insightsSchema } from './insights.ts';
import { appearanceSchema } from './appearance.ts';
import {
  handlerInputSchema,
  handlerNotedSchema,
  handlersSchema,
  handOverInputSchema,
  handOverResultSchema,
  officeSchema,
  ownCasesSchema,
  ownMarkInputSchema,
  ownRuleSchema,
  ownStateSchema,
} from './own-cases.ts';
import { policyValueSchema } from './policy.ts';
import { practiceActInputSchema, practiceNetworks, practiceStateSchema } from './practice.ts';
import {
  queueEditSchema,
  queueForecastInputSchema,
  queueForecastSchema,
  queueItemSchema,
  queueListInputSchema,
  queueListSchema,
  queueRefSchema,
  queueRetrySchema,
} from './queue.ts';
import {
  attachmentRefSchema,
  attachmentUpdateSchema,
  draftRefSchema,
  draftUpdateSchema,
  reportDraftSchema,
  reportListSchema,
  revisionSchema,
  sentReportSchema,
  submissionRefSchema,
} from './reports.ts';
import {
  nextScanSchema,
  recognizedPageSchema,
  refusedPageSchema,
  scannedDocumentSchema,
  scannedPageSchema,
  scansStateSchema,
} from './scans.ts';
import { cameraFolderSchema, cameraOfferSchema, cameraPhotoSchema, photoIds } from './camera.ts';
import { storageRuleInputSchema, storageSchema } from './storage.ts';
import { documentScopes, syncResultSchema, syncStatusSchema } from './sync.ts';
import {
  appraiserSchema,
  fieldValueSchema,
  fieldValuesInputSchema,
  fillInputSchema,
  fillPreviewSchema,
  openedReportsSchema,
  templateChangeSchema,
  templateFolderSchema,
  templateListSchema,
  templateRefSchema,
  templateSchema,
} from './templates.ts';
import { storedTextSchema, typedBy } from './typed-text.ts';
import { textsChangeSchema, textsSchema, ticksSchema } from './text-blocks.ts';
import {
  automaticBackupInputSchema,
  automaticBackupSchema,
  pathQuestionSchema,
  restoredWorkSchema,
  suggestedFilesSchema,
  workBackupDecisionSchema,
  workBackupListSchema,
  workPackageInputSchema,
  workPackageSchema,
} from './work-package.ts';
import { workspaceContract } from './workspace-contract.ts';
import { deskInfoSchema, languages } from './workspace.ts';

/** Raised when a message changes its shape or meaning; window and engine must agree. */
export const contractVersion = 1;

/** All there are, with their number. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int() });

/** The contract's calls, by group. */
export const calls = {
  desk: {
    info: call.output(deskInfoSchema),
    /** Of every part of the desk, with any workspace. */
    language: call.output(z.enum(languages)),
    /** Answers the language that is in force: IT's policy wins over the user's choice. */
    setLanguage: call.input(z.object({ language: z.enum(languages) })).output(z.enum(languages)),
    /** How the window looks and listens, with any workspace. */
    appearance: call.output(appearanceSchema),
    /** Stores the given parts; the others stay. */
    setAppearance: call.input(appearanceSchema).output(appearanceSchema),
    /** What the organization set for this machine. */
    policy: call.output(listOf(policyValueSchema)),
  },
  workspaces: workspaceContract,
  cases: {
    list: call.input(caseListInputSchema).output(caseListSchema),
    ids: call.input(caseIdsInputSchema).output(caseIdsSchema),
    hits: call.input(caseHitsInputSchema).output(caseHitsSchema),
    get: call.input(caseRefSchema).output(caseDetailSchema),
    history: call.input(caseRefSchema).output(caseHistorySchema),
    setAmounts: call.input(amountsInputSchema).output(queueItemSchema),
    setComment: call.input(commentInputSchema).output(queueItemSchema),
    reopen: call.input(reopenInputSchema).output(queueItemSchema),
    /** Names of the insurers whose cases are here, for the filter. */
    insurers: call.output(listOf(z.string())),
    insights: call.input(caseFilterSchema).output(insightsSchema),
  },
  /** The user's day: what it begins with, its visits, and whether the laptop has what it takes. */
  day: {
    today: call.input(todayInputSchema).output(todaySchema),
    /** Some of its visits, in the order of `ids`; one that is not here any more is left out. */
    visits: call.input(visitsInputSchema).output(listOf(visitSchema)),
    /** Time and note of a visit, of this laptop only; without both there is no visit. */
    setVisit: call.input(visitInputSchema).output(z.object({})),
    setPlan: call.input(dayPlanInputSchema).output(z.object({})),
    /** What is known now; asks nobody. */
    ready: call.input(readinessInputSchema).output(readinessSchema),
    /** Syncs, then brings the documents of every case of these days; resolves when it ends. */
    makeReady: call.input(readinessInputSchema).output(readinessSchema),
  },
  /** Which cases are the user's own. */
  own: {
    get: call.output(ownCasesSchema),
    setRule: call.input(ownRuleSchema).output(ownCasesSchema),
    mark: call.input(ownMarkInputSchema).output(ownCasesSchema),
    of: call.input(caseRefSchema).output(ownStateSchema),
    /** Who of the office has cases in hand: of this device only, never sent. */
    handlers: call.output(handlersSchema),
    setHandler: call.input(handlerInputSchema).output(handlerNotedSchema),
    /** Asks the office's gateway, if the desk works with one. */
    office: call.output(officeSchema),
    /** Through the office's gateway; who has a case then is noted here, too. */
    handOver: call.input(handOverInputSchema).output(handOverResultSchema),
  },
  /** What is typed into cases and not queued; stored with every save, and with the backups. */
  edits: {
    list: call.output(listOf(editSchema)),
    /** Queueing an act forgets the texts that it sets. */
    save: call.input(editInputSchema).output(storedTextSchema),
  },
  /** A private note on a case: of this laptop only, never sent; an empty one is removed. */
  notes: {
    get: call.input(caseRefSchema).output(caseNoteSchema),
    set: call
      .input(caseRefSchema.extend({ ...caseNoteSchema.shape, ...typedBy }))
      .output(storedTextSchema),
  },
  /** Text blocks for comments and checklists by category: of this laptop only, never sent. */
  texts: {
    list: call.output(textsSchema),
    /** Fails with `text_block_invalid`. */
    save: call.input(textsChangeSchema).output(textsSchema),
    removeBlock: call.input(z.object({ id: z.uuid() })).output(textsSchema),
    /** What is ticked in a case. */
    ticks: call.input(caseRefSchema).output(ticksSchema),
    tick: call
      .input(caseRefSchema.extend({ entry: z.string().min(1).max(200), isDone: z.boolean() }))
      .output(ticksSchema),
  },
  /** Saved views of the list, in the order of their names. */
  views: {
    list: call.output(listOf(caseViewSchema)),
    save: call.input(caseViewInputSchema).output(caseViewSchema),
    remove: call.input(z.object({ id: z.uuid() })).output(z.object({})),
  },
  documents: {
    /** From the cache; `refresh` asks the server first and falls back to the cache when offline. */
    list: call
      .input(caseRefSchema.extend({ refresh: z.boolean().default(false) }))
      .output(caseDocumentListSchema),
    /** Brings one document onto the laptop, before any background work. */
    fetch: call.input(documentRefSchema).output(caseDocumentSchema),
    /** Totals in the documents of a case that are on this laptop, best first. */
    totals: call.input(caseRefSchema).output(listOf(suggestedTotalSchema)),
    /** Gives a decrypted copy to another program; `drop` in the desktop shell only. */
    handOver: call
      .input(documentRefSchema.extend({ to: z.enum(documentTakers) }))
      .output(z.object({})),
    /** The button was let go of: a copy that is still being made for it is dropped nowhere. */
    letGo: call.input(documentRefSchema).output(z.object({})),
  },
  /** Pages without text, which the window recognizes one at a time. */
  scans: {
    state: call.output(scansStateSchema),
    setAutomatic: call.input(z.object({ isAutomatic: z.boolean() })).output(scansStateSchema),
    /** The documents of a case that have such pages. */
    of: call.input(caseRefSchema).output(listOf(scannedDocumentSchema)),
    /** The page to recognize next; null if all are done, or it is switched off. Counts a try. */
    next: call.input(nextScanSchema).output(z.object({ page: scannedPageSchema.nullable() })),
    recognized: call.input(recognizedPageSchema).output(z.object({})),
    /** It is not tried again. */
    refused: call.input(refusedPageSchema).output(z.object({})),
  },
  /** Templates of reports: the office's own documents, with fields of a case in braces. */
  templates: {
    /** The user's own, then those of the office's folder, then those that came with the desk. */
    list: call.output(templateListSchema),
    folder: call.output(templateFolderSchema),
    change: call.input(templateChangeSchema).output(templateSchema),
    remove: call.input(templateRefSchema).output(z.object({})),
    /** Puts a removed one back, until the desk is started again. */
    restore: call.input(templateRefSchema).output(z.object({})),
    appraiser: call.output(appraiserSchema),
    setAppraiser: call.input(appraiserSchema).output(appraiserSchema),
    /** Every field, with its value in a case. */
    fields: call.input(fieldValuesInputSchema).output(listOf(fieldValueSchema)),
    /** What the template uses and the draft's case does not have. */
    preview: call.input(fillInputSchema).output(fillPreviewSchema),
    /** Puts the filled document into the draft, in the place of one that was filled before. */
    fill: call.input(fillInputSchema).output(reportDraftSchema),
    /** Gives a document to the system's program; what is saved there is taken back. */
    open: call.input(attachmentRefSchema).output(z.object({})),
    /** Documents of a draft that were given to a program. */
    opened: call.input(draftRefSchema).output(openedReportsSchema),
    /** Puts the PDF of a document behind it, by LibreOffice; from then on the PDF is sent. */
    makePdf: call.input(attachmentRefSchema).output(reportDraftSchema),
  },
  /** Photos of the watched folder. */
  camera: {
    folder: call.output(cameraFolderSchema),
    setFolder: call
      .input(z.object({ folder: z.string().max(4096).nullable() }))
      .output(cameraFolderSchema),
    /** Looks into the folder: what a draft can take. */
    offered: call.input(draftRefSchema).output(cameraOfferSchema),
    /** Copies a photo into a draft, whole or not at all. */
    take: call
      .input(draftRefSchema.extend({ id: cameraPhotoSchema.shape.id }))
      .output(z.object({})),
    /** They are not offered again. */
    leave: call.input(z.object({ ids: photoIds })).output(z.object({})),
  },
  reports: {
    list: call
      .input(caseRefSchema.extend({ refresh: z.boolean().default(false) }))
      .output(reportListSchema),
    /** What was sent: this laptop's own copy, else fetched from the partner (X12). */
    sent: call.input(submissionRefSchema).output(sentReportSchema),
    /** A new draft with the files, names, order, marks and comment of a submission. */
    revise: call.input(submissionRefSchema).output(revisionSchema),
    drafts: call.output(listOf(reportDraftSchema)),
    createDraft: call.input(caseRefSchema).output(reportDraftSchema),
    getDraft: call.input(draftRefSchema).output(reportDraftSchema),
    updateDraft: call.input(draftUpdateSchema).output(reportDraftSchema),
    updateAttachment: call.input(attachmentUpdateSchema).output(reportDraftSchema),
    removeAttachment: call.input(attachmentRefSchema).output(reportDraftSchema),
    /** Puts a removed file back in its place, until the desk is started again. */
    restoreAttachment: call.input(attachmentRefSchema).output(reportDraftSchema),
    /** Puts a discarded draft back with its files, until the desk is started again. */
    restoreDraft: call.input(draftRefSchema).output(reportDraftSchema),
    discardDraft: call.input(draftRefSchema).output(z.object({})),
    /** Queues the draft: one outbox row with a step per document. */
    submitDraft: call.input(draftRefSchema).output(queueItemSchema),
  },
  queue: {
    list: call.input(queueListInputSchema).output(queueListSchema),
    get: call.input(queueRefSchema).output(queueItemSchema),
    retry: call.input(queueRetrySchema).output(queueItemSchema),
    discard: call.input(queueRefSchema).output(queueItemSchema),
    /** When this additional work would be delivered, after all that waits. */
    forecast: call.input(queueForecastInputSchema).output(queueForecastSchema),
    /** Only if it waits or needs attention: nothing that may be on its way is changed. */
    edit: call.input(queueEditSchema).output(queueItemSchema),
    takeReportBack: call.input(queueRefSchema).output(reportDraftSchema),
  },
  batch: batchContract,
  tools: {
    /** Names of files that a backup and a bundle for support could be written to. */
    suggestFiles: call.output(suggestedFilesSchema),
    /** Asks the user in the system's own dialog; null if nothing was chosen. */
    choosePath: call.input(pathQuestionSchema).output(z.object({ path: z.string().nullable() })),
    /** The undelivered work as one encrypted file, written by the engine; none is overwritten. */
    backUp: call.input(workPackageInputSchema).output(workPackageSchema),
    restore: call.input(workPackageInputSchema).output(restoredWorkSchema),
    automaticBackup: call.output(automaticBackupSchema),
    /** Makes the first one at once if work waits, and answers how it went. */
    setAutomaticBackup: call.input(automaticBackupInputSchema).output(automaticBackupSchema),
    /** Backups that wait for a decision after the work's file was damaged. */
    workBackups: call.output(workBackupListSchema),
    /** Null if it was left. */
    decideOnWorkBackup: call.input(workBackupDecisionSchema).output(restoredWorkSchema.nullable()),
    /** Tests the open connection step by step, or the failed one, which is opened if it works. */
    checkConnection: call.input(connectionCheckInputSchema).output(connectionCheckSchema),
    /** The filtered case list as a file, written by the engine; none is overwritten. */
    exportCases: call.input(caseExportInputSchema).output(caseExportSchema),
    exportSelection: call.input(selectionExportInputSchema).output(selectionExportSchema),
    /** The content of the bundle for support, before it is written. */
    previewDiagnostics: call.output(listOf(diagnosticsPartSchema)),
    /** A bundle for support, written by the engine; none is overwritten. */
    writeDiagnostics: call.input(diagnosticsInputSchema).output(diagnosticsSchema),
    /** The files of a folder of this laptop, read by the engine. */
    runBatch: call.input(batchInputSchema).output(batchResultSchema),
  },
  sync: {
    status: call.output(syncStatusSchema),
    /** One whole round: pull, deliver, fetch; resolves when it ends. */
    run: call
      .input(
        z.object({
          documents: z.enum(documentScopes).default('none'),
          /** Nobody asked for this round: a list that can only be read whole may wait. */
          isAutomatic: z.boolean().default(false),
        }),
      )
      .output(syncResultSchema),
    /** The network is back: what waits is sent now. */
    networkChanged: call.output(z.object({})),
    setPaused: call.input(z.object({ paused: z.boolean() })).output(syncStatusSchema),
  },
  storage: {
    get: call.output(storageSchema),
    setRule: call.input(storageRuleInputSchema).output(storageSchema),
    /** Removes the documents that are not brought here again by themselves. */
    free: call.output(storageSchema),
  },
  /** The insurer's side of the practice workspace; `practice_only` in any other. */
  practice: {
    state: call.output(practiceStateSchema),
    setNetwork: call
      .input(z.object({ network: z.enum(practiceNetworks) }))
      .output(practiceStateSchema),
    newClaim: call.input(z.object({ category: z.enum(categories) })).output(practiceStateSchema),
    act: call.input(practiceActInputSchema).output(practiceStateSchema),
    addDocument: call.input(z.object({ id: z.uuid() })).output(practiceStateSchema),
  },
};

/** The whole contract between window and engine. There is no other way in. */
export const contract = { ...calls, events: call.output(eventIterator(deskEventSchema)) };
