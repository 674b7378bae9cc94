import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { categories } from '../../api/case-words.ts';
import { batchContract } from './batch-contract.ts';
import { call } from './call.ts';
import { batchInputSchema, batchResultSchema } from '../reports/batch.ts';
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
} from '../cases/cases.ts';
import {
  caseExportInputSchema,
  caseExportSchema,
  selectionExportInputSchema,
  selectionExportSchema,
} from '../cases/case-export.ts';
import {
  connectionCheckInputSchema,
  connectionCheckSchema,
  diagnosticsInputSchema,
  diagnosticsPartSchema,
  diagnosticsSchema,
} from '../setup/diagnostics.ts';
import {
  caseDocumentListSchema,
  caseDocumentSchema,
  documentRefSchema,
  documentTakers,
  suggestedTotalSchema,
} from '../reports/documents.ts';
import {
  dayPlanInputSchema,
  readinessInputSchema,
  readinessSchema,
  todayInputSchema,
  todaySchema,
  visitInputSchema,
  visitSchema,
  visitsInputSchema,
  visitMessagesSchema,
} from '../cases/day.ts';
import { deskEventSchema } from './events.ts';
import { insightsSchema } from '../cases/insights.ts';
import { appearanceSchema } from '../setup/appearance.ts';
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
} from '../cases/own-cases.ts';
import { policyValueSchema } from '../setup/policy.ts';
import {
  practiceActInputSchema,
  practiceNetworks,
  practiceStateSchema,
} from '../setup/practice.ts';
import {
  caseTurnSchema,
  ledgerInputSchema,
  ledgerSchema,
  postponeInputSchema,
  turnsInputSchema,
} from '../delivery/ledger.ts';
import { decisionListSchema } from '../delivery/decisions.ts';
import {
  queueEditSchema,
  queueForecastInputSchema,
  queueForecastSchema,
  queueItemSchema,
  queueListInputSchema,
  queueListSchema,
  queueRefSchema,
  queueRetrySchema,
} from '../delivery/queue.ts';
import { insurerReturnsSchema, returnNoteInputSchema } from '../reports/returns.ts';
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
} from '../reports/reports.ts';
import {
  casePositionsSchema,
  positionsChoiceSchema,
  positionsInputSchema,
} from '../reports/positions.ts';
import {
  nextScanSchema,
  recognizedPageSchema,
  refusedPageSchema,
  scannedDocumentSchema,
  scannedPageSchema,
  scansStateSchema,
} from '../reports/scans.ts';
import {
  cameraFolderSchema,
  cameraOfferSchema,
  cameraPhotoSchema,
  photoIds,
} from '../reports/camera.ts';
import { telephoneBeginSchema, telephoneStateSchema } from '../reports/telephone.ts';
import { storageRuleInputSchema, storageSchema } from '../setup/storage.ts';
import { deskUpdateSchema, installMoments } from '../setup/update.ts';
import { documentScopes, syncResultSchema, syncStatusSchema } from '../delivery/sync.ts';
import {
  addedTemplateSchema,
  appraiserSchema,
  onePdfInputSchema,
  signatureSchema,
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
} from '../reports/templates.ts';
import {
  lookRefSchema,
  templatePageSchema,
  templateVersionSchema,
} from '../reports/template-workshop.ts';
import { storedTextSchema, typedBy } from '../cases/typed-text.ts';
import { textsChangeSchema, textsSchema, ticksSchema } from '../reports/text-blocks.ts';
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
} from '../setup/work-package.ts';
import { workspaceContract } from './workspace-contract.ts';
import { deskInfoSchema, languages } from '../setup/workspace.ts';

/**
 * The version of the contract, which window and engine must share. It is raised if a message
 * changes its shape or meaning.
 */
export const contractVersion = 1;

/** A complete list with the number of its items. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int() });

/** The contract's calls, by group. */
export const calls = {
  desk: {
    info: call.output(deskInfoSchema),
    /** These calls work in every part of the desk and without an open workspace. */
    language: call.output(z.enum(languages)),
    /**
     * Sets the language and returns the one that is in force, because IT's policy wins over the
     * user's choice.
     */
    setLanguage: call.input(z.object({ language: z.enum(languages) })).output(z.enum(languages)),
    /** How the window looks and which shortcuts it has. This does not depend on the workspace. */
    appearance: call.output(appearanceSchema),
    /** Stores the given parts; the other parts stay unchanged. */
    setAppearance: call.input(appearanceSchema).output(appearanceSchema),
    /** The values that the organization set for this machine. */
    policy: call.output(listOf(policyValueSchema)),
    /** The newer version that the update feed has; null if none is known. */
    update: call.output(deskUpdateSchema.nullable()),
    /** Has the desk install its update. `now` ends the desk, unless the user stays. */
    installUpdate: call
      .input(z.object({ when: z.enum(installMoments) }))
      .output(deskUpdateSchema.nullable()),
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
    /** Queues the amounts and the comment that are typed into a case, and returns how many acts. */
    saveTyped: call.input(caseRefSchema).output(z.object({ queued: z.int() })),
    reopen: call.input(reopenInputSchema).output(queueItemSchema),
    /** The names of the insurers whose cases are on this laptop, for the filter. */
    insurers: call.output(listOf(z.string())),
    insights: call.input(caseFilterSchema).output(insightsSchema),
  },
  /** The user's day: what it begins with, its visits, and whether the laptop has what it takes. */
  day: {
    today: call.input(todayInputSchema).output(todaySchema),
    /**
     * Returns some visits of the day, in the order of `ids`. A visit that no longer exists is left
     * out.
     */
    visits: call.input(visitsInputSchema).output(listOf(visitSchema)),
    /**
     * Stores the time and note of a visit on this laptop only. Without a time and a note the visit
     * is removed.
     */
    setVisit: call.input(visitInputSchema).output(z.object({})),
    setPlan: call.input(dayPlanInputSchema).output(z.object({})),
    /** The own messages before a visit: those of the policy, else those of the user. */
    messages: call.output(visitMessagesSchema),
    /** Stores the user's own messages on this device, and returns those that apply. */
    setMessages: call.input(visitMessagesSchema).output(visitMessagesSchema),
    /** Everything that the user began and did not bring to its end. */
    unfinished: call.input(ledgerInputSchema).output(ledgerSchema),
    /** The user's next decision in each of these cases. A case without one is left out. */
    turns: call.input(turnsInputSchema).output(listOf(caseTurnSchema)),
    /** Postpones an entry of the ledger until tomorrow. It stays in the ledger and its counts. */
    postpone: call.input(postponeInputSchema).output(z.object({})),
    /** Returns what is known now, without a request to the partner. */
    ready: call.input(readinessInputSchema).output(readinessSchema),
    /**
     * Syncs, and then downloads the documents of every case of these days. It resolves when both
     * are done.
     */
    makeReady: call.input(readinessInputSchema).output(readinessSchema),
  },
  /** Which cases are the user's own. */
  own: {
    get: call.output(ownCasesSchema),
    setRule: call.input(ownRuleSchema).output(ownCasesSchema),
    mark: call.input(ownMarkInputSchema).output(ownCasesSchema),
    of: call.input(caseRefSchema).output(ownStateSchema),
    /**
     * Who of the office handles which cases. The notes are on this device only and are never sent.
     */
    handlers: call.output(handlersSchema),
    setHandler: call.input(handlerInputSchema).output(handlerNotedSchema),
    /** Asks the office's gateway if the desk is connected to one. */
    office: call.output(officeSchema),
    /**
     * Assigns cases through the office's gateway. The new names are noted on this device as well.
     */
    handOver: call.input(handOverInputSchema).output(handOverResultSchema),
  },
  /**
   * The texts that are typed into cases and not queued. They are stored with every save, and with
   * the backups.
   */
  edits: {
    list: call.output(listOf(editSchema)),
    /** Stores typed texts. Queueing an act removes the texts that the act sets. */
    save: call.input(editInputSchema).output(storedTextSchema),
  },
  /**
   * A private note on a case, which stays on this laptop and is never sent. An empty note is
   * removed.
   */
  notes: {
    get: call.input(caseRefSchema).output(caseNoteSchema),
    set: call
      .input(caseRefSchema.extend({ ...caseNoteSchema.shape, ...typedBy }))
      .output(storedTextSchema),
  },
  /**
   * The text blocks for comments and the checklists by category. They stay on this laptop and are
   * never sent.
   */
  texts: {
    list: call.output(textsSchema),
    /** The call fails with `text_block_invalid`. */
    save: call.input(textsChangeSchema).output(textsSchema),
    removeBlock: call.input(z.object({ id: z.uuid() })).output(textsSchema),
    /** The entries of the checklist that are ticked in a case. */
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
    /**
     * Returns the list from the cache. With `refresh` it asks the server first, and uses the cache
     * if the device is offline.
     */
    list: call
      .input(caseRefSchema.extend({ refresh: z.boolean().default(false) }))
      .output(caseDocumentListSchema),
    /** Downloads one document before any background work. */
    fetch: call.input(documentRefSchema).output(caseDocumentSchema),
    /** Totals in the documents of a case that are on this laptop, best first. */
    totals: call.input(caseRefSchema).output(listOf(suggestedTotalSchema)),
    /** The lines of the estimates and invoices of a case, where their sum is the total. */
    positions: call.input(positionsInputSchema).output(casePositionsSchema),
    /** Chooses the documents whose lines the reports of the case print. */
    choosePositions: call.input(positionsChoiceSchema).output(casePositionsSchema),
    /** Gives a decrypted copy to another program. `drop` exists in the desktop shell only. */
    handOver: call
      .input(documentRefSchema.extend({ to: z.enum(documentTakers) }))
      .output(z.object({})),
    /**
     * Reports that the user released the mouse button. A copy that is not ready yet is not dropped.
     */
    letGo: call.input(documentRefSchema).output(z.object({})),
  },
  /** The pages without text. The window recognizes them one at a time. */
  scans: {
    state: call.output(scansStateSchema),
    setAutomatic: call.input(z.object({ isAutomatic: z.boolean() })).output(scansStateSchema),
    /** The documents of a case that have pages without text. */
    of: call.input(caseRefSchema).output(listOf(scannedDocumentSchema)),
    /**
     * Returns the page to recognize next, and counts the attempt. It is null if all pages are done
     * or the recognition is off.
     */
    next: call.input(nextScanSchema).output(z.object({ page: scannedPageSchema.nullable() })),
    recognized: call.input(recognizedPageSchema).output(z.object({})),
    /** Marks a page as refused, so that it is not tried again. */
    refused: call.input(refusedPageSchema).output(z.object({})),
  },
  /** Templates of reports: the office's own documents, with fields of a case in braces. */
  templates: {
    /**
     * The user's own templates, then those of the office's folder, then those that the desk brings.
     */
    list: call.output(templateListSchema),
    folder: call.output(templateFolderSchema),
    /** Reads a template anew, for its filled page and a copy with its faults marked. */
    look: call.input(templateRefSchema).output(addedTemplateSchema),
    /** Fills a template that was looked at with samples. A field with a fault stays, and is marked. */
    page: call.input(lookRefSchema).output(templatePageSchema),
    /** Stores a version without all that no report shows. */
    removeUnseen: call.input(templateRefSchema).output(addedTemplateSchema),
    /** The files of the user's own template, the newest first. */
    versions: call.input(templateRefSchema).output(listOf(templateVersionSchema)),
    /** Makes an earlier file the next version. */
    takeVersion: call
      .input(templateRefSchema.extend({ version: z.int().positive() }))
      .output(templateSchema),
    change: call.input(templateChangeSchema).output(templateSchema),
    remove: call.input(templateRefSchema).output(z.object({})),
    /** Restores a removed template. This works until the next start of the desk. */
    restore: call.input(templateRefSchema).output(z.object({})),
    appraiser: call.output(appraiserSchema),
    setAppraiser: call.input(appraiserSchema).output(appraiserSchema),
    signature: call.output(signatureSchema),
    removeSignature: call.output(signatureSchema),
    /** Returns every field, with its value in a case. */
    fields: call.input(fieldValuesInputSchema).output(listOf(fieldValueSchema)),
    /** Returns the fields that the template uses and the draft's case does not have. */
    preview: call.input(fillInputSchema).output(fillPreviewSchema),
    /** Puts the filled document into the draft. It replaces a document that was filled before. */
    fill: call.input(fillInputSchema).output(reportDraftSchema),
    /** Opens a document in the system's program. The desk takes over what the user saves there. */
    open: call.input(attachmentRefSchema).output(z.object({})),
    /** The documents of a draft that a program has been asked to open. */
    opened: call.input(draftRefSchema).output(openedReportsSchema),
    /** Makes the PDF of a document with LibreOffice. From then on the PDF is sent. */
    makePdf: call.input(attachmentRefSchema).output(reportDraftSchema),
    /**
     * Makes one PDF of the report and its annexes, and checks it. From then on only this PDF is sent;
     * its parts stay in the draft.
     */
    makeOnePdf: call.input(onePdfInputSchema).output(reportDraftSchema),
  },
  /** The photos of the watched folder. */
  camera: {
    folder: call.output(cameraFolderSchema),
    setFolder: call
      .input(z.object({ folder: z.string().max(4096).nullable() }))
      .output(cameraFolderSchema),
    /** Reads the folder, and returns the photos that a draft can take. */
    offered: call.input(draftRefSchema).output(cameraOfferSchema),
    /** Copies a photo into a draft, completely or not at all. */
    take: call
      .input(draftRefSchema.extend({ id: cameraPhotoSchema.shape.id }))
      .output(z.object({})),
    /** Dismisses photos, so that they are not offered again. */
    leave: call.input(z.object({ ids: photoIds })).output(z.object({})),
  },
  /** A telephone on the same network that photographs for a draft. */
  telephone: {
    state: call.output(telephoneStateSchema),
    /** Begins a session and listens for one telephone. An earlier session ends. */
    begin: call.input(telephoneBeginSchema).output(telephoneStateSchema),
    end: call.output(telephoneStateSchema),
  },
  reports: {
    list: call
      .input(caseRefSchema.extend({ refresh: z.boolean().default(false) }))
      .output(reportListSchema),
    /** The content of a submission: this laptop's own copy, or else the partner's (X12). */
    sent: call.input(submissionRefSchema).output(sentReportSchema),
    /** A new draft with the files, names, order, marks and comment of a submission. */
    revise: call.input(submissionRefSchema).output(revisionSchema),
    /** Notes why a report came back. The note is on this device only and is never sent. */
    noteReturn: call.input(returnNoteInputSchema).output(storedTextSchema),
    /** Why reports to the insurer of a case came back, as noted on this device. */
    returns: call.input(caseRefSchema).output(insurerReturnsSchema),
    drafts: call.output(listOf(reportDraftSchema)),
    createDraft: call.input(caseRefSchema).output(reportDraftSchema),
    getDraft: call.input(draftRefSchema).output(reportDraftSchema),
    updateDraft: call.input(draftUpdateSchema).output(reportDraftSchema),
    updateAttachment: call.input(attachmentUpdateSchema).output(reportDraftSchema),
    removeAttachment: call.input(attachmentRefSchema).output(reportDraftSchema),
    /** Restores a removed file in its place. This works until the next start of the desk. */
    restoreAttachment: call.input(attachmentRefSchema).output(reportDraftSchema),
    /** Restores a discarded draft with its files. This works until the next start of the desk. */
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
    /** When this additional work would be delivered, after everything that waits already. */
    forecast: call.input(queueForecastInputSchema).output(queueForecastSchema),
    /**
     * Changes an entry. This works only if the entry waits or needs attention, because an entry
     * that may have been sent must not change.
     */
    edit: call.input(queueEditSchema).output(queueItemSchema),
    /**
     * The decisions about an entry and their reasons, oldest first; without an entry those of the
     * latest entries.
     */
    decisions: call.input(queueRefSchema).output(decisionListSchema),
    takeReportBack: call.input(queueRefSchema).output(reportDraftSchema),
  },
  batch: batchContract,
  tools: {
    /** Suggests names of files for a backup and for a bundle for support. */
    suggestFiles: call.output(suggestedFilesSchema),
    /** Asks the user in the system's dialog; null if the user chose nothing. */
    choosePath: call.input(pathQuestionSchema).output(z.object({ path: z.string().nullable() })),
    /**
     * Writes the undelivered work into one encrypted file. An existing file is never overwritten.
     */
    backUp: call.input(workPackageInputSchema).output(workPackageSchema),
    restore: call.input(workPackageInputSchema).output(restoredWorkSchema),
    automaticBackup: call.output(automaticBackupSchema),
    /**
     * Sets up the daily backup. If work waits, it makes the first backup at once and returns its
     * result.
     */
    setAutomaticBackup: call.input(automaticBackupInputSchema).output(automaticBackupSchema),
    /** The backups that wait for a decision after the file with the work was damaged. */
    workBackups: call.output(workBackupListSchema),
    /** Null if the user decided to leave the backup. */
    decideOnWorkBackup: call.input(workBackupDecisionSchema).output(restoredWorkSchema.nullable()),
    /**
     * Tests the open connection step by step. If a connection failed, it tests that one, and opens
     * it if the test succeeds.
     */
    checkConnection: call.input(connectionCheckInputSchema).output(connectionCheckSchema),
    /** Writes the filtered case list into a file. An existing file is never overwritten. */
    exportCases: call.input(caseExportInputSchema).output(caseExportSchema),
    exportSelection: call.input(selectionExportInputSchema).output(selectionExportSchema),
    /** The content of the bundle for support, before it is written. */
    previewDiagnostics: call.output(listOf(diagnosticsPartSchema)),
    /** Writes a bundle for support. An existing file is never overwritten. */
    writeDiagnostics: call.input(diagnosticsInputSchema).output(diagnosticsSchema),
    /** Takes the files of a folder on this laptop, which the engine reads. */
    runBatch: call.input(batchInputSchema).output(batchResultSchema),
  },
  sync: {
    status: call.output(syncStatusSchema),
    /** Runs one whole round: pull, deliver, fetch. It resolves when the round ends. */
    run: call
      .input(
        z.object({
          documents: z.enum(documentScopes).default('none'),
          /**
           * If true, the user did not ask for this round, and a list that can only be read as a
           * whole may wait.
           */
          isAutomatic: z.boolean().default(false),
        }),
      )
      .output(syncResultSchema),
    /** Reports that the network is back, so that waiting work is sent now. */
    networkChanged: call.output(z.object({})),
    setPaused: call.input(z.object({ paused: z.boolean() })).output(syncStatusSchema),
  },
  storage: {
    get: call.output(storageSchema),
    setRule: call.input(storageRuleInputSchema).output(storageSchema),
    /** Removes the documents that the rule for offline documents does not download again. */
    free: call.output(storageSchema),
  },
  /**
   * The insurer's side of the practice workspace. In any other workspace the calls fail with
   * `practice_only`.
   */
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

/** The whole contract between window and engine. The window reaches the engine in no other way. */
export const contract = { ...calls, events: call.output(eventIterator(deskEventSchema)) };
