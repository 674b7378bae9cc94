import type { KeyObject } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { endEach, logFault } from '#main/log/faults.ts';
import { AutomaticBackups } from '../backup/automatic-backups.ts';
import { isCorruption } from '../database/sqlite.ts';
import type { EngineOptions, Practice } from '../engine.ts';
import type { HomeNotices } from '../home/home-notices.ts';
import { type DeskSettings, practiceSessionId, type WorkspaceRecord } from '../home/settings.ts';
import { openDatabaseKey, openDpopKey } from '../keys/workspace-keys.ts';
import { hasPendingWork } from '../work/set-aside.ts';
import { clientPolicy } from './connection-policy.ts';
import { describeWorkspace } from './describe-workspace.ts';
import { removeCache } from './open-stores.ts';
import { openWorkspace, type OpenWorkspace } from './open-workspace.ts';

export interface CurrentWorkspaceParts {
  readonly options: EngineOptions;
  readonly settings: DeskSettings;
  readonly emit: (event: DeskEvent) => void;
  readonly home: HomeNotices;
}

/** The parts that are needed to open, change and close workspaces. */
export interface DeskParts extends CurrentWorkspaceParts {
  readonly current: CurrentWorkspace;
}

interface Current {
  readonly workspace: OpenWorkspace;
  readonly privateKey: KeyObject;
  readonly practice: Practice | null;
  readonly backups: AutomaticBackups;
}

/** The reason why the last workspace is not open. The practice workspace has no record. */
interface Lost {
  readonly record: WorkspaceRecord | null;
  readonly error: DeskError;
}

/** The folder of a workspace, open or closed. */
export function workspaceDir({ options }: CurrentWorkspaceParts, workspaceId: string): string {
  return join(options.home, 'workspaces', workspaceId);
}

/**
 * The workspace that is open, or the reason why none is. `choose-workspace.ts` decides which one,
 * `connections.ts` changes connections, and `lost-key.ts` handles a lost key.
 */
export class CurrentWorkspace {
  readonly #parts: CurrentWorkspaceParts;
  #current: Current | null = null;
  #lost: Lost | null = null;
  /** The workspaces whose cache was rebuilt once; a second time would not help. */
  readonly #rebuilt = new Set<string>();
  #isScheduled = false;
  /** The end of the last switch. Workspaces are opened and closed one after the other. */
  #switching: Promise<unknown> = Promise.resolve();

  constructor(parts: CurrentWorkspaceParts) {
    this.#parts = parts;
  }

  /** The open workspace; null if there is none. */
  get open(): Current | null {
    return this.#current;
  }

  /** The open workspace. @throws {DeskError} no_connection, keychain_entry_lost */
  get opened(): Current {
    if (!this.#current) throw this.#lost?.error ?? new DeskError('no_connection');
    return this.#current;
  }

  /** The parts of the open workspace. @throws {DeskError} no_connection, keychain_entry_lost */
  get workspace(): OpenWorkspace {
    return this.opened.workspace;
  }

  isOpen(workspaceId: string): boolean {
    return this.#current?.workspace.record.id === workspaceId;
  }

  /** The workspace whose key is lost; null once a workspace is open. */
  get lost(): Lost | null {
    return this.#lost;
  }

  lose(lost: Lost | null): void {
    this.#lost = lost;
  }

  /** Runs a task that opens, changes or closes workspaces after the tasks before it. */
  inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.#switching.then(task);
    // The caller of the task receives its failure.
    this.#switching = turn.catch(() => undefined);
    return turn;
  }

  /** Opens a workspace, and then closes the earlier one, which stays open on failure. */
  async openRecord(
    record: WorkspaceRecord,
    privateKey: KeyObject,
    practice: Practice | null,
  ): Promise<void> {
    const { emit, settings, options } = this.#parts;
    if (this.isOpen(record.id)) await this.close();
    const workspace = await this.#openWhole(record, privateKey, practice);
    try {
      // A workspace that is removed when the desk quits is not stored in the settings.
      if (record.id !== practiceSessionId) {
        describeWorkspace(workspace.work.values, record, options.clock.now());
        settings.remember(record);
      }
      await this.close();
    } catch (error) {
      await workspace.close().catch(logFault('close a workspace', options.log));
      throw error;
    }
    const { vault } = this.#parts.options;
    const backups = new AutomaticBackups({ workspace, settings, vault, emit });
    this.#current = { workspace, privateKey, practice, backups };
    this.#lost = null;
    if (this.#isScheduled) this.#start(this.#current);
    emit({ type: 'workspace.changed' });
  }

  /** Opens a workspace. A damaged cache is deleted and fetched again from the partner. */
  async #openWhole(
    record: WorkspaceRecord,
    privateKey: KeyObject,
    practice: Practice | null,
  ): Promise<OpenWorkspace> {
    const { emit, settings, options: desk } = this.#parts;
    const { vault, clock, random, log, onRequest } = desk;
    const dir = workspaceDir(this.#parts, record.id);
    const options = {
      record,
      dir,
      policy: practice ? { limits: practice.limits } : clientPolicy(desk),
      keys: {
        database: await openDatabaseKey(vault, record.id, hasPendingWork(dir)),
        privateKey,
        dpopKey: await openDpopKey(vault, record.id),
      },
      clock,
      random,
      documentRule: () => settings.documentRule(),
      auditFile: join(desk.home, 'audit.log'),
      ownRulePolicy: settings.ownRulePolicy,
      homeNotices: () => this.#parts.home.problems,
      emit,
      onDamage: () => this.#rebuildCache(record.id),
      log,
      onRequest,
    };
    return await openWorkspace(options).catch(async (error: unknown) => {
      if (!isCorruption(error)) throw error;
      removeCache(dir);
      return await openWorkspace(options);
    });
  }

  /** Gives the open workspace another record of the same connection. Running work continues. */
  relabel(record: WorkspaceRecord): void {
    if (!this.#current) return;
    const { work } = this.#current.workspace;
    describeWorkspace(work.values, record, this.#parts.options.clock.now());
    this.#current = { ...this.#current, workspace: { ...this.#current.workspace, record } };
  }

  /** Receives the error of a call. If a page of the cache is damaged, the cache is rebuilt. */
  noticeDamage(error: unknown): void {
    const id = this.#current?.workspace.record.id;
    if (id !== undefined && isCorruption(error)) this.#rebuildCache(id);
  }

  #rebuildCache(workspaceId: string): void {
    if (this.#rebuilt.has(workspaceId)) return;
    this.#rebuilt.add(workspaceId);
    const { log } = this.#parts.options;
    void this.inTurn(async () => {
      const current = this.#current;
      if (current?.workspace.record.id !== workspaceId) return;
      const { workspace, backups } = current;
      this.#current = null;
      await backups.close();
      // The cache is about to be deleted, so a failure to close it does not matter.
      await workspace.close().catch(logFault('close a damaged cache', log));
      removeCache(workspaceDir(this.#parts, workspaceId));
      await this.openRecord(workspace.record, current.privateKey, current.practice);
      // If this fails, no workspace is open, and every call fails.
    }).catch(logFault('rebuild the cache', log));
  }

  /** Starts the automatic sync of this workspace and of every later one. */
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
    const { backups, workspace, practice } = current;
    await endEach('close a workspace', this.#parts.options.log, [
      () => backups.close(),
      () => workspace.close(),
      () => practice?.stop(),
      () => {
        if (workspace.record.id !== practiceSessionId) return;
        rmSync(workspaceDir(this.#parts, practiceSessionId), { recursive: true, force: true });
      },
    ]);
  }
}
