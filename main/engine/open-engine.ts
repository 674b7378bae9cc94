import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { contractVersion } from '#shared/desk/contract.ts';
import { DeskError, diskProblem } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { PracticeInsurer, PracticeState } from '#shared/desk/practice.ts';
import type {
  ConnectionInput,
  ConnectionTest,
  DeskInfo,
  Language,
  LostKey,
  RecoverKey,
  Workspace,
} from '#shared/desk/workspace.ts';
import {
  defaultDocumentRule,
  type DocumentRule,
  type Storage,
  type StorageRuleInput,
} from '#shared/desk/storage.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { ClientLogEntry } from './client/exchange.ts';
import { clientPolicy, createProbe } from './connection-probe.ts';
import type { Engine } from './engine.ts';
import type { EngineOptions, Practice, PracticeStarter } from './engine-options.ts';
import { isCorruption } from './database/sqlite.ts';
import { EventHub } from './event-hub.ts';
import { lockHome } from './home/home-lock.ts';
import {
  readSettings,
  writeSettings,
  type Settings,
  type WorkspaceRecord,
} from './home/settings.ts';
import { parsePrivateKey } from './keys/private-key.ts';
import { settledBy } from './home/policy-connection.ts';
import { policyValues } from './home/policy-values.ts';
import {
  deleteWorkspaceKeys,
  deriveKey,
  forgetDpopKey,
  hasDatabaseKey,
  openDatabaseKey,
  openDpopKey,
  openPrivateKey,
  storePrivateKey,
} from './keys/workspace-keys.ts';
import { RequestLog } from './diagnostics/request-log.ts';
import { createTools } from './tools/create-tools.ts';
import {
  hasWork,
  openWorkspace,
  removeCache,
  type OpenWorkspace,
} from './workspace/open-workspace.ts';
import { storageFigures } from './workspace/document-retention.ts';
import { WorkspaceSession } from './workspace/session.ts';

const practiceId = 'practice';
/** As far as it is known before its service runs. */
const practiceRecord: WorkspaceRecord = {
  id: practiceId,
  kind: 'practice',
  name: 'Practice',
  baseUrl: '',
  audience: '',
  clientId: '',
  scope: null,
  htuWithoutQuery: false,
};
/** Practice without a keychain lives in a folder that goes with the desk. */
const practiceSessionId = 'practice-session';

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
    if (error instanceof DeskError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw diskProblem(error) ?? new DeskError('home_unwritable', { reason }, { cause: error });
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

interface Current {
  readonly session: WorkspaceSession;
  readonly privateKey: KeyObject;
  readonly practice: Practice | null;
}

class Desk implements Engine {
  readonly #options: EngineOptions;
  readonly #unlock: () => void;
  readonly #requests: RequestLog;
  readonly #hub: EventHub;
  readonly tools = createTools({
    session: () => this.#session,
    openProbe: (log) => this.#openProbe(log),
    diagnosed: () => ({
      settings: this.#settings,
      policy: this.#options.policy ?? {},
      vaultKind: this.#options.vault.kind,
      requests: this.#requests.entries,
    }),
    emit: (event) => this.#hub.emit(event),
  });
  #settings: Settings;
  #current: Current | null = null;
  /** Why the last workspace is not open; the practice workspace has no record. */
  #lost: { readonly record: WorkspaceRecord | null; readonly error: DeskError } | null = null;
  /** Workspaces whose cache was built anew; if that did not help, doing it again would not. */
  readonly #rebuilt = new Set<string>();
  #isScheduled = false;
  #closing: Promise<void> | null = null;
  /** Workspaces are opened and closed one after the other. */
  #switching: Promise<unknown> = Promise.resolve();

  constructor(options: EngineOptions, unlock: () => void) {
    this.#requests = new RequestLog(options.home, () => options.clock.now());
    const log = (entry: ClientLogEntry) => {
      this.#requests.add(entry);
      options.log?.(entry);
    };
    this.#options = { ...options, log };
    this.#unlock = unlock;
    this.#hub = new EventHub(options.clock);
    this.#settings = readSettings(options.home);
  }

  async open(): Promise<void> {
    rmSync(this.#dirOf(practiceSessionId), { recursive: true, force: true });
    const { workspaces, activeId } = this.#settings;
    const connections = workspaces.filter(({ kind }) => kind === 'connection');
    const usable = this.#options.practice ? workspaces : connections;
    const last = usable.find(({ id }) => id === activeId) ?? connections[0];
    const { practice } = this.#options;
    if (last?.kind === 'connection') {
      await this.#openOrLose(last, () => this.#openConnection(last));
    } else if (practice) await this.#openOrLose(null, () => this.#openPractice(practice));
  }

  /**
   * A workspace whose key is lost does not stop the desk: the window tells what happened and takes
   * the key, and on the command line the command that puts it back needs a desk.
   * @param record null: the practice workspace
   */
  async #openOrLose(record: WorkspaceRecord | null, open: () => Promise<void>): Promise<void> {
    try {
      await open();
    } catch (error) {
      if (!(error instanceof DeskError) || error.code !== 'keychain_entry_lost') throw error;
      this.#lost = { record, error };
    }
  }

  #dirOf(workspaceId: string): string {
    return join(this.#options.home, 'workspaces', workspaceId);
  }

  /** @throws {DeskError} no_connection, keychain_entry_lost */
  get #session(): WorkspaceSession {
    if (!this.#current) throw this.#lost?.error ?? new DeskError('no_connection');
    return this.#current.session;
  }

  get #workspace(): OpenWorkspace {
    return this.#session.workspace;
  }

  /** Every call comes through here: one that meets a damaged page has the cache built anew. */
  #in<Result>(task: (session: WorkspaceSession) => Result): Result {
    const session = this.#session;
    const noticed = (error: unknown) => {
      if (isCorruption(error)) this.#rebuildCache(session.workspace.record.id);
    };
    try {
      const result = task(session);
      if (result instanceof Promise) result.catch(noticed);
      return result;
    } catch (error) {
      noticed(error);
      throw error;
    }
  }

  // Workspaces

  async #openConnection(record: WorkspaceRecord): Promise<void> {
    const privateKey = await openPrivateKey(this.#options.vault, record.id);
    await this.#openRecord(record, privateKey, null);
  }

  async #openPractice(start: PracticeStarter): Promise<void> {
    const { vault } = this.#options;
    const id = vault.kind === 'session' ? practiceSessionId : practiceId;
    const dir = this.#dirOf(id);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const databaseKey = await openDatabaseKey(vault, id, hasWork(dir));
    const practice = await start({
      dataDir: join(dir, 'service'),
      storeKey: deriveKey(databaseKey, 'practice service').toString('hex'),
    });
    try {
      const record: WorkspaceRecord = {
        ...practiceRecord,
        id,
        baseUrl: practice.baseUrl,
        audience: practice.audience,
        clientId: practice.expert.clientId,
      };
      await this.#openRecord(record, createPrivateKey(practice.expert.privateKeyPem), practice);
    } catch (error) {
      await practice.stop();
      throw error;
    }
  }

  /** Opens a workspace, then closes the one before: what fails leaves that one open. */
  async #openRecord(
    record: WorkspaceRecord,
    privateKey: KeyObject,
    practice: Practice | null,
  ): Promise<void> {
    const { vault, clock, random, log } = this.#options;
    const dir = this.#dirOf(record.id);
    if (this.#current?.session.workspace.record.id === record.id) await this.#closeCurrent();
    const options = {
      record,
      dir,
      policy: practice ? { limits: practice.limits } : clientPolicy(this.#options),
      keys: {
        database: await openDatabaseKey(vault, record.id, hasWork(dir)),
        privateKey,
        dpopKey: await openDpopKey(vault, record.id),
      },
      clock,
      random,
      documentRule: () => this.#documentRule(),
      emit: (event: DeskEvent) => this.#hub.emit(event),
      onDamage: () => this.#rebuildCache(record.id),
      log,
    };
    const workspace = await openWorkspace(options).catch(async (error: unknown) => {
      if (!isCorruption(error)) throw error;
      removeCache(dir);
      return await openWorkspace(options);
    });
    try {
      this.#remember(record);
      await this.#closeCurrent();
    } catch (error) {
      await workspace.close();
      throw error;
    }
    const emit = (event: DeskEvent) => this.#hub.emit(event);
    this.#current = {
      session: new WorkspaceSession({ workspace, clock, emit }),
      privateKey,
      practice,
    };
    this.#lost = null;
    if (this.#isScheduled) workspace.schedule.start();
    this.#hub.emit({ type: 'workspace.changed' });
  }

  #rebuildCache(workspaceId: string): void {
    if (this.#rebuilt.has(workspaceId)) return;
    this.#rebuilt.add(workspaceId);
    void this.#inTurn(async () => {
      const current = this.#current;
      if (current?.session.workspace.record.id !== workspaceId) return;
      const { workspace } = current.session;
      this.#current = null;
      // What cannot be closed in order is let go all the same: it is about to be thrown away.
      await workspace.close().catch(() => undefined);
      removeCache(this.#dirOf(workspaceId));
      await this.#openRecord(workspace.record, current.privateKey, current.practice);
    }).catch(() => undefined); // There is no workspace then, and every call says so.
  }

  #remember(record: WorkspaceRecord): void {
    // What goes with the desk is not kept in its settings either.
    if (record.id === practiceSessionId) return;
    const workspaces = this.#settings.workspaces.filter(({ id }) => id !== record.id);
    this.#save({ ...this.#settings, workspaces: [...workspaces, record], activeId: record.id });
  }

  #save(settings: Settings): void {
    // A start that changes nothing needs no room for it.
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    writeSettings(this.#options.home, settings);
    this.#settings = settings;
  }

  async #closeCurrent(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    if (!current) return;
    await current.session.workspace.close();
    await current.practice?.stop();
    if (current.session.workspace.record.id === practiceSessionId) {
      rmSync(this.#dirOf(practiceSessionId), { recursive: true, force: true });
    }
  }

  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.#switching.then(task);
    this.#switching = turn.catch(() => undefined);
    return turn;
  }

  #workspaceView(record: WorkspaceRecord): Workspace {
    const { id, kind, name, baseUrl, clientId } = record;
    return { id, kind, name, baseUrl, clientId, kept: id !== practiceSessionId };
  }

  info(): DeskInfo {
    const current = this.#workspace.record;
    const practice = this.#options.practice !== undefined;
    const others = this.#settings.workspaces.filter(
      ({ id, kind }) => id !== current.id && (practice || kind === 'connection'),
    );
    return {
      version: packageJson.version,
      contractVersion,
      language: this.#options.policy?.language ?? this.#settings.language,
      workspace: this.#workspaceView(current),
      workspaces: [current, ...others].map((record) => this.#workspaceView(record)),
      practice,
    };
  }

  setLanguage(language: Language): void {
    this.#save({ ...this.#settings, language });
    this.#hub.emit({ type: 'desk.changed' });
  }

  #documentRule(): DocumentRule {
    const { documentRetentionDays } = this.#options.policy ?? {};
    const chosen = this.#settings.documents ?? defaultDocumentRule;
    return documentRetentionDays === undefined
      ? chosen
      : { ...chosen, closedDays: documentRetentionDays };
  }

  storage(): Storage {
    const rule = this.#documentRule();
    const closedDaysIsPolicy = this.#options.policy?.documentRetentionDays !== undefined;
    return { ...rule, closedDaysIsPolicy, ...storageFigures(this.#workspace, rule) };
  }

  setDocumentRule({ keep, closedDays }: StorageRuleInput): Storage {
    const before = this.#settings.documents ?? defaultDocumentRule;
    this.#save({
      ...this.#settings,
      documents: {
        keep: keep ?? before.keep,
        closedDays: closedDays === undefined ? before.closedDays : closedDays,
      },
    });
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

  connect(entered: ConnectionInput): Promise<Workspace> {
    const input = { ...entered, ...settledBy(this.#options.policy?.connection) };
    return this.#inTurn(async () => {
      const { vault, random } = this.#options;
      const privateKey = parsePrivateKey(input.privateKey, input.keyPassphrase);
      const baseUrl = input.baseUrl.trim().replace(/\/+$/, '');
      // Refuses an address that is none, before anything is stored.
      await createProbe(this.#options, { ...input, baseUrl }, privateKey).close();
      // A key that ends with the process must not encrypt work that is meant to stay.
      if (vault.kind === 'session') throw new DeskError('keychain_unavailable');
      const known = this.#settings.workspaces.find(
        (record) =>
          record.kind === 'connection' &&
          record.clientId === input.clientId &&
          record.baseUrl === baseUrl,
      );
      const record: WorkspaceRecord = {
        id: known?.id ?? random.uuid(),
        kind: 'connection',
        name: input.name ?? known?.name ?? new URL(baseUrl).host,
        baseUrl,
        audience: input.audience.trim(),
        clientId: input.clientId,
        scope: input.scope ?? null,
        htuWithoutQuery: input.htuWithoutQuery ?? false,
      };
      if (input.setAside) await this.#setAsideIfLost(record.id);
      try {
        await storePrivateKey(vault, record.id, privateKey);
        await forgetDpopKey(vault, record.id);
        await this.#openRecord(record, privateKey, null);
      } catch (error) {
        if (!this.#settings.workspaces.some(({ id }) => id === record.id)) {
          await this.#forgetNew(record.id).catch(() => undefined);
        }
        throw error;
      }
      return this.#workspaceView(record);
    });
  }

  /** Of a connection that never came to be nothing stays: no folder and no key. */
  async #forgetNew(id: string): Promise<void> {
    rmSync(this.#dirOf(id), { recursive: true, force: true });
    await deleteWorkspaceKeys(this.#options.vault, id);
  }

  /** What no key opens any more is kept under another name; the workspace begins anew. */
  async #setAsideIfLost(id: string): Promise<void> {
    const { vault, clock } = this.#options;
    const dir = this.#dirOf(id);
    if (!hasWork(dir) || (await hasDatabaseKey(vault, id))) return;
    await deleteWorkspaceKeys(vault, id);
    const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:.]/g, '');
    renameSync(dir, `${dir}-set-aside-${stamp}`);
  }

  async testConnection(entered: ConnectionInput): Promise<ConnectionTest> {
    const input = { ...entered, ...settledBy(this.#options.policy?.connection) };
    const privateKey = parsePrivateKey(input.privateKey, input.keyPassphrase);
    const client = createProbe(this.#options, input, privateKey);
    try {
      const { value } = await client.listCases({ page: 1, size: 1 }, { priority: 'person' });
      return { organizationId: null, caseCount: value.total };
    } finally {
      await client.close();
    }
  }

  /** A client of the open connection that shares nothing with the desk's own but the key. */
  #openProbe(log: (entry: ClientLogEntry) => void) {
    if (!this.#current) throw new DeskError('no_connection');
    const { record } = this.#current.session.workspace;
    const input = { ...record, scope: record.scope ?? undefined, privateKey: '' };
    return createProbe({ ...this.#options, log }, input, this.#current.privateKey);
  }

  useWorkspace(id: string): Promise<DeskInfo> {
    return this.#inTurn(async () => {
      if (this.#current?.session.workspace.record.id === id) return this.info();
      const record = this.#settings.workspaces.find((candidate) => candidate.id === id);
      if (record?.kind === 'connection') await this.#openConnection(record);
      else if (id === practiceId && this.#options.practice) {
        await this.#openPractice(this.#options.practice);
      } else throw new DeskError('invalid_input', { field: 'id', rule: 'unknown_workspace' });
      return this.info();
    });
  }

  async lostKey(): Promise<LostKey | null> {
    const lost = this.#lost;
    if (!lost) return null;
    const record = lost.record ?? practiceRecord;
    const isKept = await hasDatabaseKey(this.#options.vault, record.id);
    return {
      workspace: this.#workspaceView(record),
      dataIsLost: hasWork(this.#dirOf(record.id)) && !isKept,
      language: this.#options.policy?.language ?? this.#settings.language,
    };
  }

  recoverKey({ privateKey = '', keyPassphrase, setAside }: RecoverKey): Promise<DeskInfo> {
    return this.#inTurn(async () => {
      const { vault, practice } = this.#options;
      const record = this.#lost?.record;
      if (record) {
        const key = parsePrivateKey(privateKey, keyPassphrase);
        if (setAside) await this.#setAsideIfLost(record.id);
        await storePrivateKey(vault, record.id, key);
        await forgetDpopKey(vault, record.id);
        await this.#openRecord(record, key, null);
      } else if (this.#lost && practice) {
        if (setAside) await this.#setAsideIfLost(practiceId);
        await this.#openPractice(practice);
      }
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

  listReports: Engine['listReports'] = async (id, { refresh = false } = {}) =>
    await this.#in((session) => session.listReports(id, refresh));
  listDrafts: Engine['listDrafts'] = () => this.#in((session) => session.listDrafts());
  createDraft: Engine['createDraft'] = (caseId) =>
    this.#in((session) => session.createDraft(caseId));
  getDraft: Engine['getDraft'] = (draftId) => this.#in((session) => session.getDraft(draftId));
  updateDraft: Engine['updateDraft'] = (input) => this.#in((session) => session.updateDraft(input));
  addAttachment: Engine['addAttachment'] = async (draftId, file) =>
    await this.#in((session) => session.addAttachment(draftId, file));
  updateAttachment: Engine['updateAttachment'] = (input) =>
    this.#in((session) => session.updateAttachment(input));
  removeAttachment: Engine['removeAttachment'] = (draftId, attachmentId) =>
    this.#in((session) => session.removeAttachment(draftId, attachmentId));
  openAttachment: Engine['openAttachment'] = (draftId, attachmentId, range) =>
    this.#in((session) => session.openAttachment(draftId, attachmentId, range));
  discardDraft: Engine['discardDraft'] = (draftId) =>
    this.#in((session) => session.discardDraft(draftId));
  submitDraft: Engine['submitDraft'] = (draftId) =>
    this.#in((session) => session.submitDraft(draftId));
  makeReport: Engine['makeReport'] = async (caseId, report) =>
    await this.#in((session) => session.makeReport(caseId, report));

  listQueue: Engine['listQueue'] = (input) => this.#in((session) => session.listQueue(input));
  getQueueItem: Engine['getQueueItem'] = (id) => this.#in((session) => session.getQueueItem(id));
  retryQueueItem: Engine['retryQueueItem'] = (id, decision) =>
    this.#in((session) => session.retryQueueItem(id, decision));
  discardQueueItem: Engine['discardQueueItem'] = (id) =>
    this.#in((session) => session.discardQueueItem(id));
  editQueueItem: Engine['editQueueItem'] = (input) =>
    this.#in((session) => session.editQueueItem(input));
  takeReportBack: Engine['takeReportBack'] = (id) =>
    this.#in((session) => session.takeReportBack(id));

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
    await this.#current?.session.workspace.readTexts();
  };

  networkChanged(): void {
    this.#current?.session.workspace.schedule.networkChanged();
  }

  setPaused: Engine['setPaused'] = (paused) => {
    this.#workspace.schedule.setPaused(paused);
    return this.#workspace.sync.status();
  };

  async practice<Name extends keyof PracticeInsurer>(
    name: Name,
    ...args: Parameters<PracticeInsurer[Name]>
  ): Promise<PracticeState> {
    const partner = this.#current?.practice?.partner;
    if (!partner) throw new DeskError('practice_only');
    // TypeScript loses that the arguments are those of this very function.
    const call = partner[name] as (...given: typeof args) => Promise<unknown>;
    await call(...args);
    return await partner.state();
  }

  startSchedule(): void {
    this.#isScheduled = true;
    this.#current?.session.workspace.schedule.start();
  }

  events(signal?: AbortSignal): AsyncIterable<DeskEvent> {
    return this.#hub.subscribe(signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#inTurn(async () => {
      try {
        await this.#closeCurrent();
      } finally {
        this.#hub.close();
        this.#unlock();
      }
    });
    return this.#closing;
  }
}
