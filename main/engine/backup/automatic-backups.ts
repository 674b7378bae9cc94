import { constants } from 'node:fs';
import { access, readdir, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import { logFault, toDeskError } from '#main/log/faults.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import { isDayOver } from '#shared/lib/clock.ts';
import type { AutomaticBackup, AutomaticBackupInput } from '#shared/desk/work-package.ts';
import { assertAbsolute } from '../disk/write-file.ts';
import { type DeskSettings, noBackup } from '../home/settings.ts';
import type { Vault } from '../keys/vault.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { backUpWork } from './work-package.ts';

/** Between two looks, and so between two tries after a failure. */
const everyMs = 60 * 60_000;
/** Files of one workspace that stay in the folder. */
const retainedFiles = 3;
const passphraseEntry = 'backup/passphrase';

export interface AutomaticBackupParts {
  readonly workspace: Pick<
    OpenWorkspace,
    'record' | 'client' | 'work' | 'workFiles' | 'clock' | 'log'
  >;
  readonly settings: DeskSettings;
  readonly vault: Vault;
  readonly emit: (event: DeskEvent) => void;
}

/**
 * Writes the undelivered work of one workspace into a folder, once a day while there is some. The
 * user chooses the passphrase, because another laptop must be able to read the file; the keychain
 * stores it here. Practice has nothing to lose and is not backed up.
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

  /** Makes a backup if one is due. Never rejects: the status has the reason. */
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

  async status(): Promise<AutomaticBackup> {
    const { settings, workspace, vault } = this.#parts;
    const backup = settings.automaticBackup(workspace.record.id);
    const hasPassphrase = (await vault.get(passphraseEntry)) !== null;
    const isMissing = backup.folder !== null && !hasPassphrase;
    return {
      ...backup,
      hasPassphrase,
      problem: isMissing ? new DeskError('backup_passphrase_missing').problem : backup.problem,
    };
  }

  /**
   * Sets folder and passphrase, and makes the first backup at once if work waits.
   * @throws {DeskError} invalid_input, file_unwritable, keychain_unavailable
   */
  async set({ folder, passphrase }: AutomaticBackupInput): Promise<AutomaticBackup> {
    const { settings, vault, workspace } = this.#parts;
    if (folder !== null && !settings.isPolicy('backupFolder')) await assertFolder(folder);
    if (passphrase !== undefined) {
      // A passphrase that ends with the process would lock its person out of the file.
      if (vault.kind === 'session') throw new DeskError('keychain_unavailable');
      await vault.set(passphraseEntry, passphrase);
    }
    settings.setBackupFolder(folder);
    // At a new place, or under a new passphrase, there is no backup yet.
    settings.keepAutomaticBackup(workspace.record.id, noBackup);
    await this.run();
    return await this.status();
  }

  /** Ends a backup that is being written; it leaves no file. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#closing.abort();
    await this.#running;
  }
}

/** The folder is never made: an empty mount point must not be taken for the disk behind it. */
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

/** What a crash left of a backup. */
async function removeHalf(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`.${prefix}`) && name.endsWith('.part')) await unlink(join(folder, name));
}
