import type { KeyObject } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { endEach, logFault, toDeskError } from '#main/log/faults.ts';
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
import { openWorkspace, type OpenWorkspace, type WorkspaceOptions } from './open-workspace.ts';

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

type WorkspaceKeys = WorkspaceOptions['keys'];

interface Current {
  readonly workspace: OpenWorkspace;
  readonly keys: WorkspaceKeys;
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
  /** Why the workspace that was open could not be opened again; null if one is open. */
  #failure: DeskError | null = null;
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

  /**
   * The open workspace.
   * @throws {DeskError} no_connection, keychain_entry_lost, and the errors of opening it again
   */
  get opened(): Current {
    if (!this.#current) throw this.#lost?.error ?? this.#failure ?? new DeskError('no_connection');
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

  /**
   * Opens a workspace, and then closes the earlier one, which stays open if a key cannot be read or
   * if it is another workspace that fails.
   */
  async openRecord(
    record: WorkspaceRecord,
    privateKey: KeyObject,
    practice: Practice | null,
  ): Promise<void> {
    const { vault } = this.#parts.options;
    const hasWork = hasPendingWork(workspaceDir(this.#parts, record.id));
    // The keychain may be locked, so it is read before anything is closed.
    const keys = {
      database: await openDatabaseKey(vault, record.id, hasWork),
      privateKey,
      dpopKey: await openDpopKey(vault, record.id),
    };
    if (this.isOpen(record.id)) {
      await this.close();
      await this.#again(() => this.#openWith(record, keys, practice));
    } else await this.#openWith(record, keys, practice);
  }

  /** Opens the workspace that was closed for this. If that fails, every call reports why. */
  async #again(open: () => Promise<void>): Promise<void> {
    try {
      await open();
    } catch (error) {
      this.#failure = toDeskError(error, 'open a workspace again', this.#parts.options.log);
      throw error;
    }
  }

  async #openWith(
    record: WorkspaceRecord,
    keys: WorkspaceKeys,
    practice: Practice | null,
  ): Promise<void> {
    const { emit, settings, options } = this.#parts;
    const workspace = await this.#openWhole(record, keys, practice);
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
    this.#current = { workspace, keys, practice, backups };
    this.#lost = null;
    this.#failure = null;
    if (this.#isScheduled) this.#start(this.#current);
    emit({ type: 'workspace.changed' });
  }

  /** Opens a workspace. A damaged cache is deleted and fetched again from the partner. */
  async #openWhole(
    record: WorkspaceRecord,
    keys: WorkspaceKeys,
    practice: Practice | null,
  ): Promise<OpenWorkspace> {
    const { emit, settings, options: desk } = this.#parts;
    const { clock, random, log, onRequest } = desk;
    const dir = workspaceDir(this.#parts, record.id);
    const options = {
      record,
      dir,
      policy: practice ? { limits: practice.limits } : clientPolicy(desk),
      keys,
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
      const { workspace, backups, keys, practice } = current;
      this.#current = null;
      await backups.close();
      // The cache is about to be deleted, so a failure to close it does not matter.
      await workspace.close().catch(logFault('close a damaged cache', log));
      await this.#again(() => {
        removeCache(workspaceDir(this.#parts, workspaceId));
        // With the keys in memory, because the keychain may be locked.
        return this.#openWith(workspace.record, keys, practice);
      });
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
