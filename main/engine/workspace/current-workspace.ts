import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { PendingWork, RecoverKey, Workspace } from '#shared/desk/workspace.ts';
import { logFault } from '#main/log/faults.ts';
import { AutomaticBackups } from '../backup/automatic-backups.ts';
import { isCorruption } from '../database/sqlite.ts';
import type { EngineOptions, Practice, PracticeStarter } from '../engine.ts';
import { type DeskSettings, practiceSessionId, type WorkspaceRecord } from '../home/settings.ts';
import { parsePrivateKey } from '../keys/private-key.ts';
import {
  deleteWorkspaceKeys,
  deriveKey,
  forgetDpopKey,
  hasDatabaseKey,
  openDatabaseKey,
  openDpopKey,
  openPrivateKey,
  storePrivateKey,
} from '../keys/workspace-keys.ts';
import { hasPendingWork } from '../work/set-aside.ts';
import { clientPolicy } from './connection-policy.ts';
import {
  beginRemoval,
  finishRemovals,
  pendingWorkOf,
  assertConfirmed,
} from './connection-removal.ts';
import { openWorkspace, removeCache, type OpenWorkspace } from './open-workspace.ts';
import { practiceId, practiceRecord, workspaceView } from './workspace-view.ts';

export interface CurrentWorkspaceParts {
  readonly options: EngineOptions;
  readonly settings: DeskSettings;
  readonly emit: (event: DeskEvent) => void;
}

interface Current {
  readonly workspace: OpenWorkspace;
  readonly privateKey: KeyObject;
  readonly practice: Practice | null;
  readonly backups: AutomaticBackups;
}

/** The one workspace that is open, or why none is. */
export class CurrentWorkspace {
  readonly #parts: CurrentWorkspaceParts;
  #current: Current | null = null;
  /** Why the last workspace is not open; the practice workspace has no record. */
  #lost: { readonly record: WorkspaceRecord | null; readonly error: DeskError } | null = null;
  /** Workspaces whose cache was rebuilt once; a second time would not help. */
  readonly #rebuilt = new Set<string>();
  #isScheduled = false;
  /** Workspaces are opened and closed one after the other. */
  #switching: Promise<unknown> = Promise.resolve();

  constructor(parts: CurrentWorkspaceParts) {
    this.#parts = parts;
  }

  /** Opens the workspace used last, or practice. One whose key is lost does not stop the desk. */
  async openLast(): Promise<void> {
    rmSync(this.#dirOf(practiceSessionId), { recursive: true, force: true });
    // A keychain that fails now does not block the desk: the next start continues.
    await finishRemovals(this.#parts).catch(this.#logFault('finish a removal'));
    await this.#openOne();
  }

  async #openOne(): Promise<void> {
    const { workspaces, activeId } = this.#parts.settings.stored;
    const { practice } = this.#parts.options;
    const connections = workspaces.filter(({ kind }) => kind === 'connection');
    const usable = practice ? workspaces : connections;
    const last = usable.find(({ id }) => id === activeId) ?? connections[0];
    if (last?.kind === 'connection') {
      await this.#openOrLose(last, () => this.#openConnection(last));
    } else if (practice) await this.#openOrLose(null, () => this.#openPractice(practice));
  }

  /**
   * A lost key leaves the desk open without a workspace: the window and the command that puts the
   * key back need it.
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
    return join(this.#parts.options.home, 'workspaces', workspaceId);
  }

  /** Null if no workspace is open. */
  get open(): Current | null {
    return this.#current;
  }

  /** @throws {DeskError} no_connection, keychain_entry_lost */
  get opened(): Current {
    if (!this.#current) throw this.#lost?.error ?? new DeskError('no_connection');
    return this.#current;
  }

  /** @throws {DeskError} no_connection, keychain_entry_lost */
  get workspace(): OpenWorkspace {
    return this.opened.workspace;
  }

  /** Sees what a call failed with: a damaged page of the cache has it rebuilt. */
  noticeDamage(error: unknown): void {
    const id = this.#current?.workspace.record.id;
    if (id !== undefined && isCorruption(error)) this.#rebuildCache(id);
  }

  async #openConnection(record: WorkspaceRecord): Promise<void> {
    const privateKey = await openPrivateKey(this.#parts.options.vault, record.id);
    await this.#openRecord(record, privateKey, null);
  }

  async #openPractice(start: PracticeStarter): Promise<void> {
    const { vault } = this.#parts.options;
    const id = vault.kind === 'session' ? practiceSessionId : practiceId;
    const dir = this.#dirOf(id);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const databaseKey = await openDatabaseKey(vault, id, hasPendingWork(dir));
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

  /** Opens a workspace, then closes the one before, which stays open on failure. */
  async #openRecord(
    record: WorkspaceRecord,
    privateKey: KeyObject,
    practice: Practice | null,
  ): Promise<void> {
    const { emit, settings } = this.#parts;
    const { vault, clock, random, log, onRequest } = this.#parts.options;
    const dir = this.#dirOf(record.id);
    if (this.#current?.workspace.record.id === record.id) await this.close();
    const options = {
      record,
      dir,
      policy: practice ? { limits: practice.limits } : clientPolicy(this.#parts.options),
      keys: {
        database: await openDatabaseKey(vault, record.id, hasPendingWork(dir)),
        privateKey,
        dpopKey: await openDpopKey(vault, record.id),
      },
      clock,
      random,
      documentRule: () => settings.documentRule(),
      auditFile: join(this.#parts.options.home, 'audit.log'),
      ownRulePolicy: settings.ownRulePolicy,
      emit,
      onDamage: () => this.#rebuildCache(record.id),
      log,
      onRequest,
    };
    const workspace = await openWorkspace(options).catch(async (error: unknown) => {
      if (!isCorruption(error)) throw error;
      removeCache(dir);
      return await openWorkspace(options);
    });
    try {
      // A workspace that ends with the desk is not stored in its settings.
      if (record.id !== practiceSessionId) settings.remember(record);
      await this.close();
    } catch (error) {
      await workspace.close();
      throw error;
    }
    const backups = new AutomaticBackups({ workspace, settings, vault, emit });
    this.#current = { workspace, privateKey, practice, backups };
    this.#lost = null;
    if (this.#isScheduled) this.#start(this.#current);
    emit({ type: 'workspace.changed' });
  }

  #rebuildCache(workspaceId: string): void {
    if (this.#rebuilt.has(workspaceId)) return;
    this.#rebuilt.add(workspaceId);
    void this.inTurn(async () => {
      const current = this.#current;
      if (current?.workspace.record.id !== workspaceId) return;
      const { workspace, backups } = current;
      this.#current = null;
      await backups.close();
      // The cache is about to be deleted, so a failure to close it does not matter.
      await workspace.close().catch(this.#logFault('close a damaged cache'));
      removeCache(this.#dirOf(workspaceId));
      await this.#openRecord(workspace.record, current.privateKey, current.practice);
      // If this fails no workspace is open, and every call fails.
    }).catch(this.#logFault('rebuild the cache'));
  }

  #logFault(where: string): (error: unknown) => void {
    return logFault(where, this.#parts.options.log);
  }

  /** Runs what opens, changes or closes workspaces one after the other. */
  inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.#switching.then(task);
    // The caller of the turn hears of its failure.
    this.#switching = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Opens another workspace; the one that is open already stays so.
   * @throws {DeskError} invalid_input
   */
  async use(id: string): Promise<void> {
    if (this.#current?.workspace.record.id === id) return;
    const { practice } = this.#parts.options;
    const record = this.#parts.settings.stored.workspaces.find((candidate) => candidate.id === id);
    if (record?.kind === 'connection') await this.#openConnection(record);
    else if (id === practiceId && practice) await this.#openPractice(practice);
    else throw new DeskError('invalid_input', { field: 'id', rule: 'unknown' });
  }

  /**
   * Stores the key of a connection, new or known, and opens it.
   * @param setAside starts from scratch if no key opens the work that is there
   */
  async connect(record: WorkspaceRecord, privateKey: KeyObject, setAside: boolean): Promise<void> {
    if (setAside) await this.#setAsideIfLost(record.id);
    try {
      await this.#openWithKey(record, privateKey);
    } catch (error) {
      if (!this.#parts.settings.stored.workspaces.some(({ id }) => id === record.id)) {
        await this.#forgetNew(record.id).catch(this.#logFault('forget a connection'));
      }
      throw error;
    }
  }

  async #openWithKey(record: WorkspaceRecord, privateKey: KeyObject): Promise<void> {
    const { vault } = this.#parts.options;
    await storePrivateKey(vault, record.id, privateKey);
    await forgetDpopKey(vault, record.id);
    await this.#openRecord(record, privateKey, null);
  }

  /** Nothing stays of a connection that was never opened: no folder and no key. */
  async #forgetNew(id: string): Promise<void> {
    rmSync(this.#dirOf(id), { recursive: true, force: true });
    await deleteWorkspaceKeys(this.#parts.options.vault, id);
  }

  /** @throws {DeskError} invalid_input if it is not a connection of this desk */
  connection(id: string): WorkspaceRecord {
    const found = this.#parts.settings.stored.workspaces.find((record) => record.id === id);
    if (found?.kind === 'connection') return found;
    throw new DeskError('invalid_input', { field: 'id', rule: 'unknown' });
  }

  pendingWork({ id }: WorkspaceRecord): Promise<PendingWork | null> {
    return pendingWorkOf(this.#parts.options.vault, id, this.#dirOf(id));
  }

  /** Gives a connection another name; what runs continues. */
  rename(id: string, name: string): void {
    const record = { ...this.connection(id), name };
    this.#parts.settings.change(record);
    if (this.#current?.workspace.record.id === id) {
      this.#current = { ...this.#current, workspace: { ...this.#current.workspace, record } };
    }
    this.#parts.emit({ type: 'desk.changed' });
  }

  /** Changes how a connection reaches the partner, over the same data. */
  async change(record: WorkspaceRecord, privateKey: KeyObject | null): Promise<void> {
    const { vault } = this.#parts.options;
    if (privateKey) await storePrivateKey(vault, record.id, privateKey);
    // A token of the address or key before is not used again.
    await forgetDpopKey(vault, record.id);
    this.#parts.settings.change(record);
    if (this.#current?.workspace.record.id === record.id) await this.#openConnection(record);
    else this.#parts.emit({ type: 'desk.changed' });
  }

  /**
   * Puts another organization in the place of a connection, whose data are removed.
   * @throws {DeskError} connection_holds_work
   */
  async replace(
    before: WorkspaceRecord,
    record: WorkspaceRecord,
    privateKey: KeyObject | null,
    confirmed: PendingWork | null,
  ): Promise<void> {
    assertConfirmed(await this.pendingWork(before), confirmed);
    const key = privateKey ?? (await openPrivateKey(this.#parts.options.vault, before.id));
    await this.connect(record, key, false);
    await this.remove(before.id, confirmed);
  }

  /**
   * Removes a connection with its key and its data; another workspace opens if it was open.
   * @throws {DeskError} connection_holds_work; what was done until it closed counts
   */
  async remove(id: string, confirmed: PendingWork | null): Promise<void> {
    const record = this.connection(id);
    if (this.#current?.workspace.record.id === id) await this.close();
    try {
      assertConfirmed(await this.pendingWork(record), confirmed);
      beginRemoval(this.#dirOf(id));
      if (this.#lost?.record?.id === id) this.#lost = null;
      await finishRemovals(this.#parts);
    } finally {
      if (!this.#current) await this.#openOne();
      this.#parts.emit({ type: 'workspace.changed' });
    }
  }

  /**
   * Sets aside, under another name, what no key opens any more; the workspace starts from scratch.
   */
  async #setAsideIfLost(id: string): Promise<void> {
    const { vault, clock } = this.#parts.options;
    const dir = this.#dirOf(id);
    if (!hasPendingWork(dir) || (await hasDatabaseKey(vault, id))) return;
    await deleteWorkspaceKeys(vault, id);
    const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:.]/g, '');
    renameSync(dir, `${dir}-set-aside-${stamp}`);
  }

  /** The workspace that has lost its key, and whether its work is lost with it; null if none has. */
  async lost(): Promise<{ workspace: Workspace; dataIsLost: boolean } | null> {
    if (!this.#lost) return null;
    const record = this.#lost.record ?? practiceRecord;
    const hasKey = await hasDatabaseKey(this.#parts.options.vault, record.id);
    const dataIsLost = hasPendingWork(this.#dirOf(record.id)) && !hasKey;
    return { workspace: workspaceView(record), dataIsLost };
  }

  /** Puts a lost key back; practice makes a new one. */
  async recover({ privateKey = '', keyPassphrase, setAside }: RecoverKey): Promise<void> {
    const { practice } = this.#parts.options;
    const record = this.#lost?.record;
    if (record) {
      const key = parsePrivateKey(privateKey, keyPassphrase);
      if (setAside) await this.#setAsideIfLost(record.id);
      await this.#openWithKey(record, key);
    } else if (this.#lost && practice) {
      if (setAside) await this.#setAsideIfLost(practiceId);
      await this.#openPractice(practice);
    }
  }

  /** From now on this workspace and every later one sync automatically. */
  startSchedule(): void {
    this.#isScheduled = true;
    if (this.#current) this.#start(this.#current);
  }

  #start({ workspace, backups }: Current): void {
    workspace.schedule.start();
    backups.start();
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    if (!current) return;
    await current.backups.close();
    await current.workspace.close();
    await current.practice?.stop();
    if (current.workspace.record.id === practiceSessionId) {
      rmSync(this.#dirOf(practiceSessionId), { recursive: true, force: true });
    }
  }
}
