import { constants } from 'node:fs';
import { access, readdir, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { type FaultLog, logFault, toDeskError } from '#main/log/faults.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { type Clock, isDayOver } from '#shared/lib/clock.ts';
import type { AutomaticBackup, AutomaticBackupInput } from '#shared/desk/setup/work-package.ts';
import { assertAbsolute } from '../disk/write-file.ts';
import { type DeskSettings, noBackup } from '../home/settings.ts';
import type { Vault } from '../keys/vault.ts';
import { backUpWork, type PackedWorkspace } from './work-package.ts';

/** The time between two checks, and so between two attempts after a failure. */
const everyMs = 60 * 60_000;
/** The number of files of one workspace that stay in the folder. */
const retainedFiles = 3;
const passphraseEntry = 'backup/passphrase';

export interface AutomaticBackupParts {
  readonly workspace: PackedWorkspace & { readonly clock: Clock; readonly log: FaultLog };
  readonly settings: DeskSettings;
  readonly vault: Vault;
  readonly emit: (event: DeskEvent) => void;
}

/**
 * Writes the undelivered work of one workspace into a folder, once a day while there is some. The
 * user chooses the passphrase, because another laptop must be able to read the file; the keychain
 * stores the passphrase here. Work of the practice workspace is not backed up, because nothing of
 * it can be lost.
 */
export class AutomaticBackups {
  readonly #parts: AutomaticBackupParts;
  readonly #closing = new AbortController();
  #cancel: (() => void) | null = null;
  #running: Promise<void> = Promise.resolve();

  /** Resolves when no backup is being made. */
  get running(): Promise<void> {
    return this.#running;
  }

  constructor(parts: AutomaticBackupParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#cancel?.();
    this.#cancel = this.#parts.workspace.clock.after(everyMs, () => this.start());
    void this.run();
  }

  /**
   * Makes a backup if one is due. It never rejects: the status contains the reason of a failure.
   */
  run(): Promise<void> {
    this.#running = this.#running
      .then(() => this.#runOnce())
      .catch(logFault('backup', this.#parts.workspace.log));
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    const { settings, workspace, emit } = this.#parts;
    const { record, clock } = workspace;
    if (!this.#isDue() || workspace.work.casesInWork().size === 0) return;
    const at = new Date(clock.now()).toISOString();
    const { lastAt } = settings.automaticBackup(record.id);
    try {
      await this.#backUp(at);
      settings.keepAutomaticBackup(record.id, { lastAt: at, problem: null, problemAt: null });
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const problem = toDeskError(error, 'backup', workspace.log).problem;
      settings.keepAutomaticBackup(record.id, { lastAt, problem, problemAt: at });
    }
    emit({ type: 'desk.changed' });
  }

  #isDue(): boolean {
    const { settings, workspace } = this.#parts;
    const { folder, lastAt } = settings.automaticBackup(workspace.record.id);
    if (folder === null || workspace.record.kind === 'practice') return false;
    return isDayOver(Date.parse(lastAt ?? ''), workspace.clock.now());
  }

  async #backUp(at: string): Promise<void> {
    const { settings, workspace, vault } = this.#parts;
    const { folder } = settings.automaticBackup(workspace.record.id);
    const passphrase = await vault.get(passphraseEntry);
    if (folder === null) return;
    if (passphrase === null) throw new DeskError('backup_passphrase_missing');
    await assertFolder(folder);
    const prefix = `appraiser-desk-auto-${workspace.record.id.slice(0, 8)}-`;
    const name = `${prefix}${at.replaceAll(/[-:]|\.\d+/g, '')}.desk`;
    await removeHalf(folder, prefix);
    await backUpWork(workspace, { file: join(folder, name), passphrase }, () =>
      this.#closing.signal.throwIfAborted(),
    );
    const older = (await readdir(folder))
      .filter((other) => other.startsWith(prefix) && other.endsWith('.desk') && other !== name)
      .sort();
    for (const other of older.slice(0, 1 - retainedFiles)) await unlink(join(folder, other));
  }

  /** A keychain that cannot be read is the problem of a backup that is on, and of nothing else. */
  async status(): Promise<AutomaticBackup> {
    const { settings, workspace } = this.#parts;
    const { problem: last, ...backup } = settings.automaticBackup(workspace.record.id);
    const { hasPassphrase, problem } = await this.#passphrase();
    const isOn = backup.folder !== null;
    return { ...backup, hasPassphrase, problem: (isOn ? problem : null) ?? last };
  }

  /** Whether there is a passphrase, or why that is not known; then there may be one. */
  async #passphrase(): Promise<Pick<AutomaticBackup, 'hasPassphrase' | 'problem'>> {
    const { vault, workspace } = this.#parts;
    try {
      const hasPassphrase = (await vault.get(passphraseEntry)) !== null;
      const missing = new DeskError('backup_passphrase_missing').problem;
      return { hasPassphrase, problem: hasPassphrase ? null : missing };
    } catch (error) {
      const { problem } = toDeskError(error, 'backup', workspace.log);
      return { hasPassphrase: true, problem };
    }
  }

  /**
   * Sets folder and passphrase. If work waits, it makes the first backup immediately.
   * @throws {DeskError} invalid_input, file_unwritable, keychain_unavailable
   */
  async set({ folder, passphrase }: AutomaticBackupInput): Promise<AutomaticBackup> {
    const { settings, vault, workspace } = this.#parts;
    if (folder !== null && !settings.isPolicy('backupFolder')) await assertFolder(folder);
    if (passphrase !== undefined) {
      // If the passphrase were stored only until the process ends, the user could not open the file
      // later.
      if (vault.kind === 'session') throw new DeskError('keychain_unavailable');
      await vault.set(passphraseEntry, passphrase);
    }
    settings.setBackupFolder(folder);
    // In a new folder, or with a new passphrase, no backup exists yet.
    settings.keepAutomaticBackup(workspace.record.id, noBackup);
    await this.run();
    return await this.status();
  }

  /** Aborts a backup that is being written. It leaves no file. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#closing.abort();
    await this.#running;
  }
}

/**
 * The folder is never created, because an empty mount point must not be used in place of the disk
 * behind it.
 */
async function assertFolder(folder: string): Promise<void> {
  assertAbsolute('folder', folder);
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error('no folder');
    await access(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'ENOTDIR';
    throw new DeskError(
      'file_unwritable',
      { fileName: basename(folder), reason },
      { cause: error },
    );
  }
}

/** Removes the unfinished files that a crash left. */
async function removeHalf(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`.${prefix}`) && name.endsWith('.part')) await unlink(join(folder, name));
}
