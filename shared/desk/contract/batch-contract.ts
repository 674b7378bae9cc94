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
} from '../reports/batch.ts';
import { call } from './call.ts';

/**
 * The batch of the windows. Its files arrive over the byte streams, and each change returns the
 * whole batch.
 */
export const batchContract = {
  get: call.output(openBatchSchema),
  /**
   * Begins a batch, or adds files to the open one. The files are matched by their names before any
   * bytes arrive.
   */
  announce: call.input(batchAnnouncementSchema).output(openBatchSchema),
  /** Reports that the window could not prepare a file. */
  refuse: call.input(batchRefusalSchema).output(openBatchSchema),
  change: call.input(batchChangeSchema).output(openBatchSchema),
  setComment: call.input(batchCommentSchema).output(openBatchSchema),
  /** Chooses the template that is filled for each case that has a report; null chooses none. */
  setTemplate: call.input(batchTemplateChoiceSchema).output(openBatchSchema),
  remove: call.input(batchPathsSchema).output(openBatchSchema),
  restore: call.input(batchPathsSchema).output(openBatchSchema),
  /** Removes the files that are in a report from the batch. */
  removeQueued: call.output(openBatchSchema),
  search: call.input(batchSearchSchema).output(batchCaseListSchema),
  /** Reads a sheet, and returns what it sets or what is wrong with it. */
  setSheet: call.input(batchSheetInputSchema).output(openBatchSchema),
  /** Chooses the lines of the sheet that are applied. */
  chooseLines: call.input(sheetChoiceSchema).output(openBatchSchema),
  removeSheet: call.output(openBatchSchema),
  /**
   * Queues one report per case, each with all of its files in one step. If a file of a case is
   * refused or missing, the case is not queued. If a line of the sheet is wrong, nothing is queued.
   * The template of the batch is filled for each report, and for each case that only the sheet
   * names.
   */
  queue: call.output(queuedBatchSchema),
  /** Discards the batch. Its files are deleted only at the next start of the desk. */
  discard: call.output(openBatchSchema),
  takeBack: call.output(openBatchSchema),
};
