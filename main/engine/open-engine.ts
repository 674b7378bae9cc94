import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError, homeProblem } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import { takeBatchFile } from './batch/open-batch.ts';
import { batchCalls } from './calls/batch.ts';
import { caseCalls } from './calls/cases.ts';
import { dayCalls, ownCalls } from './calls/day.ts';
import { deskCalls } from './calls/desk.ts';
import { cameraCalls } from './calls/camera.ts';
import {
  documentCalls,
  fileStream,
  openDocument,
  scanCalls,
  storageCalls,
} from './calls/documents.ts';
import { editCalls, noteCalls, textCalls, viewCalls } from './calls/local.ts';
import { practiceCalls, provision, workspaceCalls } from './calls/workspaces.ts';
import { queueCalls, syncCalls } from './calls/queue.ts';
import {
  addAttachment,
  makeReport,
  replaceAttachment,
  reportCalls,
  setRendition,
} from './calls/reports.ts';
import { addTemplate, openTemplates, templateCalls } from './calls/templates.ts';
import { toolCalls } from './calls/tools.ts';
import type { ClientLogEntry } from '../partner/signed-request.ts';
import { RequestLog } from './diagnostics/request-log.ts';
import { behindDoor } from './door.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { EventHub } from './event-hub.ts';
import { lockHome } from './home/home-lock.ts';
import { OpenedCopies } from './home/opened-copies.ts';
import { DeskSettings } from './home/settings.ts';
import { openLast } from './workspace/choose-workspace.ts';
import { CurrentWorkspace } from './workspace/current-workspace.ts';

/**
 * Opens the desk of a home: the workspace used last, or the practice workspace if there is no
 * connection. If its key is missing the desk opens without a workspace (`workspaces.lostKey`).
 * @throws {DeskError} home_in_use, home_newer, home_unwritable, settings_invalid, disk_full
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { home } = options;
  let unlock: () => void;
  try {
    mkdirSync(join(home, 'workspaces'), { recursive: true, mode: 0o700 });
    unlock = lockHome(home);
  } catch (error) {
    throw error instanceof DeskError ? error : homeProblem(error);
  }
  try {
    return await openParts(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

// oxlint-disable-next-line max-lines-per-function -- opens the parts of the engine one after the other; each takes those before it
async function openParts(given: EngineOptions, unlock: () => void): Promise<Engine> {
  const requests = new RequestLog(given.home, () => given.clock.now());
  const options: EngineOptions = {
    ...given,
    onRequest(entry: ClientLogEntry) {
      requests.add(entry);
      given.onRequest?.(entry);
    },
  };
  const hub = new EventHub(options.clock);
  const emit = (event: DeskEvent) => hub.emit(event);
  const settings = new DeskSettings(options.home, options.policy ?? {}, options.languages);
  const copies = new OpenedCopies(options.home);
  copies.clear();
  const current = new CurrentWorkspace({ options, settings, emit });
  const opened = () => current.workspace;
  const parts = { options, settings, current, emit };
  const templates = openTemplates(parts);
  const calls = behindDoor(
    {
      desk: deskCalls(parts),
      workspaces: workspaceCalls(parts, (id) => {
        copies.clear();
        templates.opened.forgetWorkspace(id);
      }),
      cases: caseCalls(opened),
      edits: editCalls(opened),
      notes: noteCalls(opened),
      texts: textCalls(opened),
      views: viewCalls(opened),
      day: dayCalls(opened),
      own: ownCalls(opened),
      documents: documentCalls(opened, { copies, handOver: options.handOver }),
      templates: templateCalls(opened, templates),
      scans: scanCalls(opened, parts),
      camera: cameraCalls(opened, parts),
      reports: reportCalls(opened, () => current.open?.practice?.partner),
      queue: queueCalls(opened),
      batch: batchCalls(opened, templates),
      tools: toolCalls(parts, requests, templates),
      sync: syncCalls(current),
      storage: storageCalls(opened, parts),
      practice: practiceCalls(current),
    },
    {
      log: options.log,
      onError: (error) => current.noticeDamage(error),
      // Named with the partner's other unreadable records.
      onLeftOut: (records) =>
        current.open?.workspace.cache.unreadable.saveCases(
          records.filter(({ id }) => id !== '').map((record) => ({ ...record, json: null })),
          new Date(options.clock.now()).toISOString(),
        ),
    },
  );
  const noticing = async <Result>(task: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await task();
    } catch (error) {
      current.noticeDamage(error);
      throw error;
    }
  };
  let closing: Promise<void> | null = null;
  if (!(await provision(parts))) await openLast(parts);

  return {
    ...calls,
    files: {
      openDocument: (caseId, documentId, range) =>
        noticing(() => openDocument(opened(), caseId, documentId, range)),
      openAttachment: (draftId, attachmentId, range) =>
        noticing(() => {
          const { work, workFiles } = opened();
          return fileStream(workFiles, work.drafts.attachment(draftId, attachmentId), range);
        }),
      openOriginal: (draftId, attachmentId, range) =>
        noticing(() => {
          const { work, workFiles } = opened();
          const sent = work.drafts.attachment(draftId, attachmentId);
          return fileStream(workFiles, sent.details.original ?? sent, range);
        }),
      addTemplate: (file) => noticing(() => addTemplate(opened(), templates, file)),
      addAttachment: (draftId, file) => noticing(() => addAttachment(opened(), draftId, file)),
      addBatchFile: (batchId, path, file) =>
        noticing(async () => {
          const workspace = opened();
          try {
            return await takeBatchFile(workspace, batchId, path, file);
          } finally {
            workspace.emit({ type: 'batch.changed' });
          }
        }),
      setRendition: (draftId, attachmentId, file, rendition) =>
        noticing(() => setRendition(opened(), draftId, attachmentId, { file, rendition })),
      replaceAttachment: (draftId, attachmentId, file) =>
        noticing(() => replaceAttachment(opened(), draftId, attachmentId, file)),
    },
    makeReport: (caseRef, report) =>
      noticing(() => makeReport(opened(), templates, caseRef, report)),
    readTexts: async () => await current.open?.workspace.readTexts(),
    startSchedule: () => current.startSchedule(),
    events: (signal) => hub.subscribe(signal),
    close() {
      // First: a request that hangs may have the process cut before the end of this.
      copies.clear();
      closing ??= current.inTurn(async () => {
        try {
          await templates.opened.close();
          await current.close();
          await templates.thread.end();
          await templates.reducer.end();
        } finally {
          hub.close();
          copies.clear();
          unlock();
        }
      });
      return closing;
    },
  };
}
