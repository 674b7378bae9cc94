import { implement } from '@orpc/server';
import { contract } from '#shared/desk/contract.ts';
import type { Engine } from '#main/engine/engine.ts';
import { type BridgeLog, contractErrorOf } from './desk-errors.ts';

/**
 * The contract, answered by an engine. Inputs and outputs are validated by the contract's schemas;
 * every call fails with the typed error `DESK` and with nothing else.
 */
export function createRouter(engine: Engine, log: BridgeLog) {
  const call = implement(contract);
  return call.router({
    desk: {
      info: call.desk.info.handler(() => engine.info()),
      setLanguage: call.desk.setLanguage.handler(({ input }) => engine.setLanguage(input.language)),
      appearance: call.desk.appearance.handler(() => engine.appearance()),
      setAppearance: call.desk.setAppearance.handler(({ input }) => engine.setAppearance(input)),
      policy: call.desk.policy.handler(() => engine.policy()),
    },
    workspaces: {
      connect: call.workspaces.connect.handler(({ input }) => engine.connect(input)),
      test: call.workspaces.test.handler(({ input }) => engine.testConnection(input)),
      use: call.workspaces.use.handler(({ input }) => engine.useWorkspace(input.id)),
      lostKey: call.workspaces.lostKey.handler(() => engine.lostKey()),
      recoverKey: call.workspaces.recoverKey.handler(({ input }) => engine.recoverKey(input)),
    },
    cases: {
      list: call.cases.list.handler(({ input }) => engine.listCases(input)),
      ids: call.cases.ids.handler(({ input }) => ({ ids: engine.caseIds(input) })),
      hits: call.cases.hits.handler(({ input }) => ({ items: engine.caseHits(input) })),
      get: call.cases.get.handler(({ input }) => engine.getCase(input.id)),
      history: call.cases.history.handler(({ input }) => engine.caseHistory(input.id)),
      setAmounts: call.cases.setAmounts.handler(({ input }) => engine.setAmounts(input)),
      setComment: call.cases.setComment.handler(({ input }) => engine.setComment(input)),
      reopen: call.cases.reopen.handler(({ input }) => engine.reopen(input)),
      today: call.cases.today.handler(() => engine.today()),
      insurers: call.cases.insurers.handler(() => engine.insurers()),
      insights: call.cases.insights.handler(({ input }) => engine.insights(input)),
    },
    views: {
      list: call.views.list.handler(() => {
        const items = engine.listViews();
        return { items, total: items.length };
      }),
      save: call.views.save.handler(({ input }) => engine.saveView(input)),
      remove: call.views.remove.handler(({ input }) => {
        engine.removeView(input.id);
        return {};
      }),
    },
    documents: {
      list: call.documents.list.handler(({ input }) =>
        engine.listDocuments(input.id, { refresh: input.refresh }),
      ),
      fetch: call.documents.fetch.handler(({ input }) =>
        engine.fetchDocument(input.caseId, input.documentId),
      ),
      handOver: call.documents.handOver.handler(async ({ input }) => {
        await engine.handOverDocument(input.caseId, input.documentId, input.to);
        return {};
      }),
    },
    reports: {
      list: call.reports.list.handler(({ input }) =>
        engine.listReports(input.id, { refresh: input.refresh }),
      ),
      drafts: call.reports.drafts.handler(() => engine.listDrafts()),
      createDraft: call.reports.createDraft.handler(({ input }) => engine.createDraft(input.id)),
      getDraft: call.reports.getDraft.handler(({ input }) => engine.getDraft(input.draftId)),
      updateDraft: call.reports.updateDraft.handler(({ input }) => engine.updateDraft(input)),
      updateAttachment: call.reports.updateAttachment.handler(({ input }) =>
        engine.updateAttachment(input),
      ),
      removeAttachment: call.reports.removeAttachment.handler(({ input }) =>
        engine.removeAttachment(input.draftId, input.attachmentId),
      ),
      discardDraft: call.reports.discardDraft.handler(({ input }) => {
        engine.discardDraft(input.draftId);
        return {};
      }),
      submitDraft: call.reports.submitDraft.handler(({ input }) =>
        engine.submitDraft(input.draftId),
      ),
    },
    queue: {
      list: call.queue.list.handler(({ input: { caseId, ...rest } }) =>
        engine.listQueue(caseId === undefined ? rest : { ...rest, caseId }),
      ),
      get: call.queue.get.handler(({ input }) => engine.getQueueItem(input.id)),
      retry: call.queue.retry.handler(({ input }) =>
        engine.retryQueueItem(input.id, input.decision),
      ),
      discard: call.queue.discard.handler(({ input }) => engine.discardQueueItem(input.id)),
      edit: call.queue.edit.handler(({ input }) => engine.editQueueItem(input)),
      takeReportBack: call.queue.takeReportBack.handler(({ input }) =>
        engine.takeReportBack(input.id),
      ),
    },
    tools: {
      suggestFiles: call.tools.suggestFiles.handler(() => engine.tools.suggestFiles()),
      backUp: call.tools.backUp.handler(({ input }) => engine.tools.backUpWork(input)),
      restore: call.tools.restore.handler(({ input }) => engine.tools.restoreWork(input)),
      workBackups: call.tools.workBackups.handler(() => engine.tools.workBackups()),
      decideOnWorkBackup: call.tools.decideOnWorkBackup.handler(({ input }) =>
        engine.tools.decideOnWorkBackup(input),
      ),
      checkConnection: call.tools.checkConnection.handler(() => engine.tools.checkConnection()),
      exportCases: call.tools.exportCases.handler(({ input }) => engine.tools.exportCases(input)),
      exportSelection: call.tools.exportSelection.handler(async ({ input }) => {
        const content = await engine.tools.exportSelection(input);
        return { contentBase64: content.toString('base64') };
      }),
      previewDiagnostics: call.tools.previewDiagnostics.handler(async () => {
        const items = await engine.tools.previewDiagnostics();
        return { items, total: items.length };
      }),
      writeDiagnostics: call.tools.writeDiagnostics.handler(({ input }) =>
        engine.tools.writeDiagnostics(input.file),
      ),
      matchBatch: call.tools.matchBatch.handler(({ input }) =>
        engine.tools.matchBatch(input.paths),
      ),
      runBatch: call.tools.runBatch.handler(({ input }) => engine.tools.runBatch(input)),
    },
    sync: {
      status: call.sync.status.handler(() => engine.syncStatus()),
      run: call.sync.run.handler(({ input }) => engine.sync(input)),
      networkChanged: call.sync.networkChanged.handler(() => {
        engine.networkChanged();
        return {};
      }),
      setPaused: call.sync.setPaused.handler(({ input }) => engine.setPaused(input.paused)),
    },
    storage: {
      get: call.storage.get.handler(() => engine.storage()),
      setRule: call.storage.setRule.handler(({ input }) => engine.setDocumentRule(input)),
      free: call.storage.free.handler(() => engine.freeStorage()),
    },
    practice: {
      state: call.practice.state.handler(() => engine.practice('state')),
      setNetwork: call.practice.setNetwork.handler(({ input }) =>
        engine.practice('setNetwork', input.network),
      ),
      newClaim: call.practice.newClaim.handler(({ input }) =>
        engine.practice('newClaim', input.category),
      ),
      act: call.practice.act.handler(({ input }) => engine.practice('act', input)),
      addDocument: call.practice.addDocument.handler(({ input }) =>
        engine.practice('addDocument', input.id),
      ),
    },
    events: call.events.handler(async function* ({ signal }) {
      try {
        // Leaving this loop, by the window's wish or by a lost line, ends the engine's iterator.
        for await (const event of engine.events(signal)) yield event;
      } catch (error) {
        throw contractErrorOf(error, 'events', log);
      }
    }),
  });
}

/** Options for oRPC's RPCHandler of any transport: where every failure becomes the typed error. */
export function handlerOptions(log: BridgeLog) {
  return {
    clientInterceptors: [
      async ({
        next,
        path,
      }: {
        next: () => Promise<unknown>;
        path: readonly string[];
      }): Promise<unknown> => {
        try {
          return await next();
        } catch (error) {
          throw contractErrorOf(error, path.join('.'), log);
        }
      },
    ],
  };
}
