import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { contractVersion } from '#shared/desk/contract.ts';
import { DeskError, homeProblem } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Appearance } from '#shared/desk/appearance.ts';
import type { PracticeInsurer, PracticeState } from '#shared/desk/practice.ts';
import type { Storage, StorageRuleInput } from '#shared/desk/storage.ts';
import type {
  ConnectionInput,
  ConnectionTest,
  DeskInfo,
  Language,
  LostKey,
  RecoverKey,
  Workspace,
} from '#shared/desk/workspace.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { ClientLogEntry } from './client/exchange.ts';
import { createProbe } from './connection-probe.ts';
import { connect, testConnection } from './connections.ts';
import { RequestLog } from './diagnostics/request-log.ts';
import type { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import { EventHub } from './event-hub.ts';
import { DeskSettings } from './home/desk-settings.ts';
import { OpenedCopies } from './home/opened-copies.ts';
import { lockHome } from './home/home-lock.ts';
import { policyValues } from './home/policy-values.ts';
import { createTools } from './tools/create-tools.ts';
import { CurrentWorkspace, workspaceView } from './workspace/current-workspace.ts';
import { storageFigures } from './workspace/document-retention.ts';
import type { OpenWorkspace } from './workspace/open-workspace.ts';
import type { WorkspaceSession } from './workspace/session.ts';

/**
 * Opens the desk of a home: the workspace used last, or the practice workspace where there is no
 * connection. Where its key is missing the desk opens without a workspace, see `Engine.lostKey`.
 * @throws {DeskError} home_in_use, home_newer, home_unwritable, settings_invalid,
 * disk_full
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
    const desk = new Desk(options, unlock);
    await desk.open();
    return desk;
  } catch (error) {
    unlock();
    throw error;
  }
}

class Desk implements Engine {
  readonly #options: EngineOptions;
  readonly #unlock: () => void;
  readonly #requests: RequestLog;
  readonly #hub: EventHub;
  readonly #settings: DeskSettings;
  readonly #current: CurrentWorkspace;
  readonly #copies: OpenedCopies;
  readonly tools = createTools({
    session: () => this.#current.session,
    openProbe: (log) => this.#openProbe(log),
    diagnosed: () => ({
      settings: this.#settings.kept,
      policy: this.#options.policy ?? {},
      vaultKind: this.#options.vault.kind,
      requests: this.#requests.entries,
    }),
    emit: (event) => this.#hub.emit(event),
    now: () => this.#options.clock.now(),
  });
  #closing: Promise<void> | null = null;

  constructor(options: EngineOptions, unlock: () => void) {
    this.#requests = new RequestLog(options.home, () => options.clock.now());
    const log = (entry: ClientLogEntry) => {
      this.#requests.add(entry);
      options.log?.(entry);
    };
    this.#options = { ...options, log };
    this.#unlock = unlock;
    this.#hub = new EventHub(options.clock);
    this.#settings = new DeskSettings(options.home, options.policy ?? {});
    this.#copies = new OpenedCopies(options.home);
    this.#copies.clear();
    this.#current = new CurrentWorkspace({
      options: this.#options,
      settings: this.#settings,
      emit: (event) => this.#hub.emit(event),
    });
  }

  open(): Promise<void> {
    return this.#current.openLast();
  }

  get #workspace(): OpenWorkspace {
    return this.#current.session.workspace;
  }

  #in<Result>(task: (session: WorkspaceSession) => Result): Result {
    return this.#current.in(task);
  }

  // The desk and its workspaces

  info(): DeskInfo {
    const current = this.#workspace.record;
    const practice = this.#options.practice !== undefined;
    const others = this.#settings.kept.workspaces.filter(
      ({ id, kind }) => id !== current.id && (practice || kind === 'connection'),
    );
    return {
      version: packageJson.version,
      contractVersion,
      language: this.#settings.language,
      workspace: workspaceView(current),
      workspaces: [current, ...others].map((record) => workspaceView(record)),
      practice,
    };
  }

  setLanguage(language: Language): DeskInfo | null {
    this.#settings.setLanguage(language);
    this.#hub.emit({ type: 'desk.changed' });
    return this.#current.open ? this.info() : null;
  }

  appearance(): Appearance {
    return this.#settings.appearance;
  }

  setAppearance(appearance: Appearance): Appearance {
    this.#settings.setAppearance(appearance);
    return this.#settings.appearance;
  }

  storage(): Storage {
    const rule = this.#settings.documentRule();
    const { closedDaysIsPolicy } = this.#settings;
    return { ...rule, closedDaysIsPolicy, ...storageFigures(this.#workspace, rule) };
  }

  setDocumentRule(input: StorageRuleInput): Storage {
    this.#settings.setDocumentRule(input);
    this.#hub.emit({ type: 'desk.changed' });
    return this.storage();
  }

  async freeStorage(): Promise<Storage> {
    await this.#workspace.freeStorage();
    return this.storage();
  }

  policy: Engine['policy'] = () => {
    const items = policyValues(this.#options.policy ?? {});
    return { items, total: items.length };
  };

  connect(input: ConnectionInput): Promise<Workspace> {
    const parts = { options: this.#options, settings: this.#settings, current: this.#current };
    return this.#current.inTurn(() => connect(parts, input));
  }

  testConnection(input: ConnectionInput): Promise<ConnectionTest> {
    return testConnection(this.#options, input);
  }

  /** A client of the open connection that shares nothing with the desk's own but the key. */
  #openProbe(log: (entry: ClientLogEntry) => void) {
    const { open } = this.#current;
    if (!open) throw new DeskError('no_connection');
    const { record } = open.session.workspace;
    const input = { ...record, scope: record.scope ?? undefined, privateKey: '' };
    return createProbe({ ...this.#options, log }, input, open.privateKey);
  }

  useWorkspace(id: string): Promise<DeskInfo> {
    return this.#current.inTurn(async () => {
      await this.#current.use(id);
      return this.info();
    });
  }

  async lostKey(): Promise<LostKey | null> {
    const lost = await this.#current.lost();
    return lost && { ...lost, language: this.#settings.language };
  }

  recoverKey(input: RecoverKey): Promise<DeskInfo> {
    return this.#current.inTurn(async () => {
      await this.#current.recover(input);
      return this.info();
    });
  }

  // Cases, documents, reports, queue: the workspace's

  listCases: Engine['listCases'] = (input) => this.#in((session) => session.listCases(input));
  caseIds: Engine['caseIds'] = (input) => this.#in((session) => session.caseIds(input));
  caseHits: Engine['caseHits'] = (input) => this.#in((session) => session.caseHits(input));
  getCase: Engine['getCase'] = (id) => this.#in((session) => session.getCase(id));
  caseHistory: Engine['caseHistory'] = (id) => this.#in((session) => session.caseHistory(id));
  setAmounts: Engine['setAmounts'] = (input) => this.#in((session) => session.setAmounts(input));
  setComment: Engine['setComment'] = (input) => this.#in((session) => session.setComment(input));
  reopen: Engine['reopen'] = (input) => this.#in((session) => session.reopen(input));
  today: Engine['today'] = () => this.#in((session) => session.today());
  insurers: Engine['insurers'] = () => this.#in((session) => session.insurers());
  insights: Engine['insights'] = (filter) => this.#in((session) => session.insights(filter));

  listViews: Engine['listViews'] = () => this.#in(({ workspace }) => workspace.work.views.list());
  saveView: Engine['saveView'] = (input) => this.#in((session) => session.saveView(input));
  removeView: Engine['removeView'] = (id) => this.#in((session) => session.removeView(id));

  listDocuments: Engine['listDocuments'] = async (id, { refresh = false } = {}) =>
    await this.#in((session) => session.listDocuments(id, refresh));
  fetchDocument: Engine['fetchDocument'] = async (caseId, documentId) =>
    await this.#in((session) => session.fetchDocument(caseId, documentId));
  openDocument: Engine['openDocument'] = async (caseId, documentId, range) =>
    await this.#in((session) => session.openDocument(caseId, documentId, range));

  handOverDocument: Engine['handOverDocument'] = async (caseId, documentId, to) => {
    const document = await this.openDocument(caseId, documentId);
    const path = await this.#copies.add(document);
    const isTaken = await this.#options.handOver?.(path, to);
    if (isTaken === true) return;
    this.#copies.remove(path);
    throw new DeskError('no_program', { fileName: document.fileName });
  };

  listReports: Engine['listReports'] = async (id, { refresh = false } = {}) =>
    await this.#in((session) => session.reports.listReports(id, refresh));
  listDrafts: Engine['listDrafts'] = () => this.#in((session) => session.reports.listDrafts());
  createDraft: Engine['createDraft'] = (caseId) =>
    this.#in((session) => session.reports.createDraft(caseId));
  getDraft: Engine['getDraft'] = (draftId) =>
    this.#in((session) => session.reports.getDraft(draftId));
  updateDraft: Engine['updateDraft'] = (input) =>
    this.#in((session) => session.reports.updateDraft(input));
  addAttachment: Engine['addAttachment'] = async (draftId, file) =>
    await this.#in((session) => session.reports.addAttachment(draftId, file));
  updateAttachment: Engine['updateAttachment'] = (input) =>
    this.#in((session) => session.reports.updateAttachment(input));
  removeAttachment: Engine['removeAttachment'] = (draftId, attachmentId) =>
    this.#in((session) => session.reports.removeAttachment(draftId, attachmentId));
  openAttachment: Engine['openAttachment'] = (draftId, attachmentId, range) =>
    this.#in((session) => session.reports.openAttachment(draftId, attachmentId, range));
  discardDraft: Engine['discardDraft'] = (draftId) =>
    this.#in((session) => session.reports.discardDraft(draftId));
  submitDraft: Engine['submitDraft'] = (draftId) =>
    this.#in((session) => session.reports.submitDraft(draftId));
  makeReport: Engine['makeReport'] = async (caseId, report) =>
    await this.#in((session) => session.reports.makeReport(caseId, report));

  listQueue: Engine['listQueue'] = (input) => this.#in((session) => session.queue.listQueue(input));
  getQueueItem: Engine['getQueueItem'] = (id) =>
    this.#in((session) => session.queue.getQueueItem(id));
  retryQueueItem: Engine['retryQueueItem'] = (id, decision) =>
    this.#in((session) => session.queue.retryQueueItem(id, decision));
  discardQueueItem: Engine['discardQueueItem'] = (id) =>
    this.#in((session) => session.queue.discardQueueItem(id));
  editQueueItem: Engine['editQueueItem'] = (input) =>
    this.#in((session) => session.queue.editQueueItem(input));
  takeReportBack: Engine['takeReportBack'] = (id) =>
    this.#in((session) => session.queue.takeReportBack(id));

  // Sync

  syncStatus: Engine['syncStatus'] = () => this.#in(({ workspace }) => workspace.sync.status());
  // Async, so that a desk without a workspace refuses like any other failure.
  sync: Engine['sync'] = async (options) =>
    this.#in(async ({ workspace }) => {
      const result = await workspace.sync.run(options);
      workspace.sweepDocuments();
      return result;
    });
  readTexts: Engine['readTexts'] = async () => {
    await this.#current.open?.session.workspace.readTexts();
  };

  networkChanged(): void {
    this.#current.open?.session.workspace.schedule.networkChanged();
  }

  setPaused: Engine['setPaused'] = (paused) => {
    this.#workspace.schedule.setPaused(paused);
    return this.#workspace.sync.status();
  };

  async practice<Name extends keyof PracticeInsurer>(
    name: Name,
    ...args: Parameters<PracticeInsurer[Name]>
  ): Promise<PracticeState> {
    const partner = this.#current.open?.practice?.partner;
    if (!partner) throw new DeskError('practice_only');
    // TypeScript loses that the arguments are those of this very function.
    const call = partner[name] as (...given: typeof args) => Promise<unknown>;
    await call(...args);
    return await partner.state();
  }

  startSchedule(): void {
    this.#current.startSchedule();
  }

  events(signal?: AbortSignal): AsyncIterable<DeskEvent> {
    return this.#hub.subscribe(signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#current.inTurn(async () => {
      try {
        await this.#current.close();
      } finally {
        this.#hub.close();
        this.#copies.clear();
        this.#unlock();
      }
    });
    return this.#closing;
  }
}
