import { endEach, logFault } from '#main/log/faults.ts';
import { onLongWork } from '#main/log/long-work.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError, homeProblem } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { takeBatchFile } from './batch/open-batch.ts';
import { batchCalls } from './calls/batch.ts';
import { caseCalls } from './calls/cases.ts';
import { dayCalls, ownCalls } from './calls/day.ts';
import { deskCalls } from './calls/desk.ts';
import { cameraCalls } from './calls/camera.ts';
import { documentCalls, scanCalls, storageCalls } from './calls/documents.ts';
import { editCalls, noteCalls, textCalls, viewCalls } from './calls/local.ts';
import { practiceCalls, workspaceCalls } from './calls/workspaces.ts';
import { queueCalls, syncCalls } from './calls/queue.ts';
import { reportCalls } from './calls/reports.ts';
import { addTemplate, openTemplates, setSignature, templateCalls } from './calls/templates.ts';
import { telephoneCalls } from './calls/telephone.ts';
import { Telephone } from './telephone/telephone.ts';
import { toolCalls } from './calls/tools.ts';
import type { ClientLogEntry } from '../partner/requests/signed-request.ts';
import { RequestLog } from './diagnostics/request-log.ts';
import { behindDoor } from './door.ts';
import { startProblem } from './disk/open-files.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { EventHub } from './event-hub.ts';
import { closeToOthers } from './home/close-to-others.ts';
import { lockHome } from './home/home-lock.ts';
import { OpenedCopies } from './home/opened-copies.ts';
import { HomeNotices } from './home/home-notices.ts';
import { DeskSettings } from './home/settings.ts';
import { openLast } from './workspace/choose-workspace.ts';
import { withPracticeNames } from './workspace/practice-names.ts';
import { practiceId } from './workspace/workspace-view.ts';
import { CurrentWorkspace } from './workspace/current-workspace.ts';
import { healHome } from './workspace/orphans.ts';
import { addAttachment, replaceAttachment, setRendition } from './cases/report-drafts.ts';
import { makeReport } from './templates/make-report.ts';
import { fileStream } from './blobs/file-stream.ts';
import { openDocument } from './cases/documents.ts';
import { provision } from './workspace/connect.ts';

/**
 * Opens the desk of a home with the workspace that was used last; if there is no connection, with
 * the practice workspace. If the key of the workspace is missing, the desk opens without a
 * workspace (`workspaces.lostKey`).
 * @throws {DeskError} home_in_use, home_newer, home_unwritable, disk_full,
 *   files_exhausted
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { home } = options;
  let unlock: () => void;
  try {
    mkdirSync(join(home, 'workspaces'), { recursive: true, mode: 0o700 });
    closeToOthers(home);
    unlock = lockHome(home);
  } catch (error) {
    const known = startProblem(error);
    throw known instanceof DeskError ? known : homeProblem(error);
  }
  try {
    return await openParts(options, unlock);
  } catch (error) {
    unlock();
    throw startProblem(error);
  }
}

// oxlint-disable-next-line max-lines-per-function -- opens the parts of the engine one after the other; each takes those before it
async function openParts(given: EngineOptions, unlock: () => void): Promise<Engine> {
  const requests = new RequestLog(given.home, () => given.clock.now());
  const options: EngineOptions = {
    ...given,
    vault: withPracticeNames(given.vault, join(given.home, 'workspaces', practiceId), given.random),
    onRequest(entry: ClientLogEntry) {
      requests.add(entry);
      given.onRequest?.(entry);
    },
  };
  const hub = new EventHub(options.clock);
  const emit = (event: DeskEvent) => {
    hub.emit(event);
    if (event.type === 'workspace.changed')
      void telephone.workspaceChanged().catch(logFault('telephone', options.log));
  };
  const settings = new DeskSettings(options.home, options.policy ?? {}, options.languages);
  const copies = new OpenedCopies(options.home);
  copies.clear();
  const home = new HomeNotices();
  const current = new CurrentWorkspace({ options, settings, emit, home });
  const opened = () => current.workspace;
  const practiceInsurer = () => current.open?.practice?.partner;
  const parts = { options, settings, current, emit, home };
  const telephone = new Telephone(parts);
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
      day: dayCalls(opened, parts),
      own: ownCalls(opened),
      documents: documentCalls(opened, { copies, handOver: options.handOver }),
      templates: templateCalls(opened, templates),
      scans: scanCalls(opened, parts),
      camera: cameraCalls(opened, parts),
      telephone: telephoneCalls(telephone),
      reports: reportCalls(opened, practiceInsurer),
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
      // The records are reported together with the partner's other unreadable records.
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
  await healHome(parts);
  if (!(await provision(parts))) await openLast(parts);
  const unwatch = onLongWork(({ operation, ms, size }) =>
    options.log.error({ operation, ms, size }, 'long work on the main thread'),
  );

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
      openTemplateFile: (lookId) => noticing(() => templates.workshop.file(opened(), lookId)),
      openTemplatePages: (lookId, range) =>
        noticing(() =>
          fileStream(opened().workFiles, templates.workshop.pages(opened(), lookId), range),
        ),
      openMarkedTemplate: (lookId, range) =>
        noticing(async () => {
          const workspace = opened();
          const file = await templates.workshop.marked(workspace, lookId);
          return fileStream(workspace.workFiles, file, range);
        }),
      setSignature: (file) => noticing(() => setSignature(opened(), templates, file)),
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
    updateChanged: () => emit({ type: 'update.changed' }),
    events: (signal) => hub.subscribe(signal),
    close() {
      // The copies are removed first, because the process may be ended before the rest if a request
      // hangs.
      copies.clear();
      const { opened: reports, thread, reducer, binder } = templates;
      closing ??= current.inTurn(() =>
        endEach('close the desk', options.log, [
          () => telephone.end(),
          () => reports.close(),
          () => current.close(),
          () => Promise.all([thread.end(), reducer.end(), binder.end()]),
          unwatch,
          () => hub.close(),
          () => copies.clear(),
          unlock,
        ]),
      );
      return closing;
    },
  };
}
