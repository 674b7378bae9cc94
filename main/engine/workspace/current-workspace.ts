import type { KeyObject } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import { logFault } from '#main/log/faults.ts';
import { AutomaticBackups } from '../backup/automatic-backups.ts';
import { isCorruption } from '../database/sqlite.ts';
import type { EngineOptions, Practice } from '../engine.ts';
import { type DeskSettings, practiceSessionId, type WorkspaceRecord } from '../home/settings.ts';
import { openDatabaseKey, openDpopKey } from '../keys/workspace-keys.ts';
import { hasPendingWork } from '../work/set-aside.ts';
import { clientPolicy } from './connection-policy.ts';
import { openWorkspace, removeCache, type OpenWorkspace } from './open-workspace.ts';

export interface CurrentWorkspaceParts {
  readonly options: EngineOptions;
  readonly settings: DeskSettings;
  readonly emit: (event: DeskEvent) => void;
}

/** What opens, changes and closes workspaces needs. */
export interface DeskParts extends CurrentWorkspaceParts {
  readonly current: CurrentWorkspace;
}

interface Current {
  readonly workspace: OpenWorkspace;
  readonly privateKey: KeyObject;
  readonly practice: Practice | null;
  readonly backups: AutomaticBackups;
}

/** Why the last workspace is not open; the practice workspace has no record. */
interface Lost {
  readonly record: WorkspaceRecord | null;
  readonly error: DeskError;
}

/** The folder of a workspace, open or not. */
export function workspaceDir({ options }: CurrentWorkspaceParts, workspaceId: string): string {
  return join(options.home, 'workspaces', workspaceId);
}

/**
 * The one workspace that is open, or why none is. Which one it is: `choose-workspace.ts`; what
 * becomes of connections: `connections.ts`; of a lost key: `lost-key.ts`.
 */
export class CurrentWorkspace {
  readonly #parts: CurrentWorkspaceParts;
  #current: Current | null = null;
  #lost: Lost | null = null;
  /** Workspaces whose cache was rebuilt once; a second time would not help. */
  readonly #rebuilt = new Set<string>();
  #isScheduled = false;
  /** Workspaces are opened and closed one after the other. */
  #switching: Promise<unknown> = Promise.resolve();

  constructor(parts: CurrentWorkspaceParts) {
    this.#parts = parts;
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

  isOpen(workspaceId: string): boolean {
    return this.#current?.workspace.record.id === workspaceId;
  }

  /** The workspace whose key is lost, until one is open. */
  get lost(): Lost | null {
    return this.#lost;
  }

  lose(lost: Lost | null): void {
    this.#lost = lost;
  }

  /** Runs what opens, changes or closes workspaces one after the other. */
  inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.#switching.then(task);
    // The caller of the turn hears of its failure.
    this.#switching = turn.catch(() => undefined);
    return turn;
  }

  /** Opens a workspace, then closes the one before, which stays open on failure. */
  async openRecord(
    record: WorkspaceRecord,
    privateKey: KeyObject,
    practice: Practice | null,
  ): Promise<void> {
    const { emit, settings } = this.#parts;
    if (this.isOpen(record.id)) await this.close();
    const workspace = await this.#openWhole(record, privateKey, practice);
    try {
      // A workspace that ends with the desk is not stored in its settings.
      if (record.id !== practiceSessionId) settings.remember(record);
      await this.close();
    } catch (error) {
      await workspace.close();
      throw error;
    }
    const { vault } = this.#parts.options;
    const backups = new AutomaticBackups({ workspace, settings, vault, emit });
    this.#current = { workspace, privateKey, practice, backups };
    this.#lost = null;
    if (this.#isScheduled) this.#start(this.#current);
    emit({ type: 'workspace.changed' });
  }

  /** A damaged cache is deleted, and built again from the partner. */
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

  /** Gives the open workspace another record of the same connection; what runs continues. */
  relabel(record: WorkspaceRecord): void {
    if (!this.#current) return;
    this.#current = { ...this.#current, workspace: { ...this.#current.workspace, record } };
  }

  /** Sees what a call failed with: a damaged page of the cache has it rebuilt. */
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
      // If this fails no workspace is open, and every call fails.
    }).catch(logFault('rebuild the cache', log));
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
      rmSync(workspaceDir(this.#parts, practiceSessionId), { recursive: true, force: true });
    }
  }
}
