import {
  batchAnnouncementSchema,
  batchCaseListSchema,
  batchChangeSchema,
  batchCommentSchema,
  batchPathsSchema,
  batchRefusalSchema,
  batchSearchSchema,
  batchSheetInputSchema,
  batchTemplateChoiceSchema,
  openBatchSchema,
  queuedBatchSchema,
  sheetChoiceSchema,
} from './batch.ts';
import { call } from './call.ts';

/**
 * The batch of the windows. Its files are taken in over the byte streams; each change answers the
 * whole batch.
 */
export const batchContract = {
  get: call.output(openBatchSchema),
  /** Begins a batch, or adds to the open one: matched by their names before any byte is taken. */
  announce: call.input(batchAnnouncementSchema).output(openBatchSchema),
  /** The window could not make a file ready. */
  refuse: call.input(batchRefusalSchema).output(openBatchSchema),
  change: call.input(batchChangeSchema).output(openBatchSchema),
  setComment: call.input(batchCommentSchema).output(openBatchSchema),
  /** Which template is filled for each case that has a report; null: none. */
  setTemplate: call.input(batchTemplateChoiceSchema).output(openBatchSchema),
  remove: call.input(batchPathsSchema).output(openBatchSchema),
  restore: call.input(batchPathsSchema).output(openBatchSchema),
  /** Forgets the files that are in a report. */
  removeQueued: call.output(openBatchSchema),
  search: call.input(batchSearchSchema).output(batchCaseListSchema),
  /** What a sheet sets, or what is wrong with it. */
  setSheet: call.input(batchSheetInputSchema).output(openBatchSchema),
  /** Which lines of the sheet are applied. */
  chooseLines: call.input(sheetChoiceSchema).output(openBatchSchema),
  removeSheet: call.output(openBatchSchema),
  /**
   * One report per case, each whole and in one step with its files; a case of which one file is
   * refused or missing is kept back. Nothing is queued while a line of the sheet is wrong. The
   * template of the batch is filled for each of them, and for each case that only the sheet names.
   */
  queue: call.output(queuedBatchSchema),
  /** The files stay until the desk is started again. */
  discard: call.output(openBatchSchema),
  takeBack: call.output(openBatchSchema),
};
