import { join } from 'node:path';
import { z } from 'zod';
import { DeskError, diskProblem, type DeskProblem } from '#shared/desk/contract/errors.ts';
import { backUp } from '../database/backup.ts';
import { StoredValues } from '../database/stored-values.ts';
import {
  countSteps,
  migrate,
  isCorruption,
  openDatabase,
  type Database,
} from '../database/sqlite.ts';
import { originalOf } from './attachment-rows.ts';
import { AuditLines } from './audit-lines.ts';
import { Batches } from './batches.ts';
import { Drafts } from './drafts.ts';
import { FilledDocuments } from './filled-documents.ts';
import { LocalData, TextBlocks } from './local-data.ts';
import { Outbox } from './outbox.ts';
import { ReturnNotes } from './return-notes.ts';
import { Edits } from './edits.ts';
import { Overlays } from './overlay.ts';
import { insertStoredViews, SavedViews } from './saved-views.ts';
import { workMigrations } from './schema.ts';
import {
  decideOn,
  hasBackups,
  isLost,
  listSetAside,
  offeredWork,
  setAside,
  type SetAsideWork,
} from './set-aside.ts';
import { Templates } from './templates.ts';
import { Transfer } from './transfer.ts';

export interface WorkOptions {
  /** The folder of `work.db` and `backups/`. */
  readonly dir: string;
  readonly keyHex: string;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** The user's work that the server has not confirmed. The program never deletes it. */
export type Work = ReturnType<typeof openWork>;

/**
 * Opens the work store, marks every request with an unknown outcome, and makes a verified backup.
 * If the file cannot be read, or is missing although its backups or its log exist, everything is
 * set aside.
 * @throws {DeskError} home_newer
 */
// oxlint-disable-next-line max-lines-per-function -- opens the parts of the store one after the other; each takes those before it
export function openWork(options: WorkOptions) {
  const { dir, now, newId } = options;
  const iso = () => new Date(now()).toISOString();
  let asideId: string | null = null;
  let opened: ReturnType<typeof openParts>;
  try {
    opened = openParts(options, iso);
  } catch (error) {
    if (!isDamage(error)) throw error;
    asideId = setAside(dir, now());
    opened = openParts(options, iso);
  }
  const { db, outbox, backups } = opened;
  const transfer = new Transfer(db);
  const drafts = new Drafts({ db, now: iso, newId });
  const documents = new FilledDocuments({ db, drafts, newId });
  const batches = new Batches({ db, drafts, now: iso });
  batches.removeEnded();
  let offers = offeredWork(dir, options.keyHex);
  const isUnrecoverable = asideId !== null && !offers.some(({ id }) => id === asideId);
  const leaveAside = ({ id }: SetAsideWork) => {
    decideOn(dir, id);
    offers = offers.filter((offer) => offer.id !== id);
  };
  const templates = new Templates({ db, now: iso, newId });
  /** The contents that a row names, or that the user may still restore. */
  const blobIds = () => new Set([...drafts.blobIds(), ...templates.blobIds()]);

  /** The functions that run after the open transaction. */
  const untold: (() => void)[] = [];

  return {
    outbox,
    drafts,
    documents,
    batches,
    edits: new Edits({ db, now: iso }),
    overlays: new Overlays(db),
    transfer,
    views: new SavedViews({ db, newId }),
    local: new LocalData(db),
    values: new StoredValues(db, 'local_values'),
    returns: new ReturnNotes(db),
    texts: new TextBlocks(db),
    templates,
    audit: new AuditLines(db),
    /**
     * The problem is `work_corrupt` until the user has decided about every backup of damaged work,
     * and if the open file turns out to be damaged. It is `work_lost` until the next start if no
     * backup is sound.
     */
    get damage(): DeskProblem | null {
      const isDamaged = offers.length > 0 || backups.problem?.code === 'work_corrupt';
      if (isDamaged) return { code: 'work_corrupt', params: {} };
      return isUnrecoverable ? { code: 'work_lost', params: {} } : null;
    },
    /** Whether a damaged store was set aside. Then attachments without a row may belong to it. */
    hasSetAside: listSetAside(dir).length > 0,
    /** The work of stores that were set aside and wait for a decision, newest first. */
    offered: () => offers,
    /**
     * Adds offered work and views. Nothing is added twice.
     * @param packedAtMs when the backup was made, by the server's clock
     */
    takeBack(offer: SetAsideWork, packedAtMs: number) {
      const contents = [
        ...offer.work.templates.map(({ sha256, blob_id }) => ({ sha256, blobId: blob_id })),
        ...offer.work.drafts
          .flatMap(({ attachments }) => attachments)
          .flatMap(({ sha256, blob_id, details }) => {
            const original = originalOf(details);
            return [{ sha256, blobId: blob_id }, ...(original ? [original] : [])];
          }),
      ];
      const blobIds = new Map(contents.map(({ sha256, blobId }) => [sha256, blobId]));
      const arrived = db.transaction(() => {
        insertStoredViews(db, offer.views);
        return transfer.unpack(offer.work, {
          packedAtMs,
          // The files were never set aside.
          blobIdOf: (sha256) => blobIds.get(sha256) ?? '',
        });
      })();
      leaveAside(offer);
      return arrived;
    },
    /** Stops offering the backup. Its files stay. */
    leaveAside,
    casesInWork: () => casesInWork(db),
    forgetCases: (caseIds: readonly string[]) => forgetCases(db, caseIds, blobIds),
    blobIds,
    /** Runs `task` in one transaction, or in the one that is open. */
    together<Result>(task: () => Result): Result {
      const { length } = untold;
      let result: Result;
      try {
        result = db.transaction(task)();
      } catch (error) {
        untold.length = length;
        throw error;
      }
      if (!db.inTransaction) for (const tell of untold.splice(0)) tell();
      return result;
    },
    /**
     * Runs a function after the open transaction of `together`, or at once if none is open. If the
     * transaction fails, the function never runs.
     */
    onceStored(tell: () => void): void {
      if (db.inTransaction) untold.push(tell);
      else tell();
    },
    /** Makes a verified backup, unless nothing changed since the last one. */
    backUpIfChanged: () => backups.keepUp(),
    /**
     * The reason why the last backup could not be made (the disk is full, the file is damaged);
     * else null.
     */
    get backupProblem() {
      return backups.problem;
    },
    close: () => void db.close(),
  };
}

function isDamage(error: unknown): boolean {
  return isCorruption(error) || (error instanceof DeskError && error.code === 'work_corrupt');
}

/**
 * Opens the parts of the store.
 * @throws {SQLite.SqliteError} SQLITE_NOTADB, SQLITE_CORRUPT if any page is damaged
 * @throws {DeskError} work_corrupt if only its backups or its log exist
 */
function openParts({ dir, keyHex, now, newId }: WorkOptions, iso: () => string) {
  const db = openChecked(dir, keyHex);
  try {
    const outbox = new Outbox({ db, now: iso, newKey: newId });
    outbox.deliveries.doubtAllSending();
    const backups = new Backups(db, { dir: join(dir, 'backups'), keyHex, now });
    // The backup reads every page, so that damage anywhere in the file is found here.
    backups.makeIfChanged();
    return { db, outbox, backups };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The backups of one open database. */
class Backups {
  readonly #db: Database;
  readonly #options: { dir: string; keyHex: string; now: () => number };
  #madeAt = -1;
  problem: DeskProblem | null = null;

  constructor(db: Database, options: { dir: string; keyHex: string; now: () => number }) {
    this.#db = db;
    this.#options = options;
  }

  makeIfChanged(): void {
    const changes = z
      .object({ count: z.int() })
      .parse(this.#db.prepare('SELECT total_changes() AS count').get()).count;
    if (changes === this.#madeAt) return;
    const { now, ...options } = this.#options;
    try {
      backUp(this.#db, { ...options, nowMs: now() });
      this.#madeAt = changes;
      this.problem = null;
    } catch (error) {
      // The work continues without a backup; the next attempt is in an hour.
      const problem = error instanceof DeskError ? error : diskProblem(error);
      if (!problem) throw error;
      this.problem = problem.problem;
    }
  }

  /** While the desk is open, damage is only reported. The next start sets the file aside. */
  keepUp(): void {
    try {
      this.makeIfChanged();
    } catch (error) {
      if (!isCorruption(error)) throw error;
      this.problem = { code: 'work_corrupt', params: {} };
    }
  }
}

function openChecked(dir: string, keyHex: string): Database {
  // This is checked first, because opening would create a new file.
  if (isLost(dir)) throw new DeskError('work_corrupt');
  const db = openDatabase({ file: join(dir, 'work.db'), keyHex, durability: 'full' });
  try {
    // A store that lost its log opens as a file without steps, so it is checked here as well.
    if (countSteps(db) === 0 && hasBackups(dir)) throw new DeskError('work_corrupt');
    migrate(db, workMigrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The result of removing cases. */
interface Forgotten {
  readonly files: number;
  /** The contents that nothing names any more. */
  readonly blobIds: readonly string[];
}

/** What the user stored about a case and never sends. */
const caseTables = [
  'visits',
  'own_marks',
  'handlers',
  'notes',
  'return_notes',
  'report_positions',
  'checklist_ticks',
] as const;

/**
 * Removes what the user stored about these cases, and the files of their sent reports. The rows of
 * the outbox stay as proofs of delivery, with name, size and hash of each file. Drafts that are not
 * delivered are never changed.
 * @param namedIds returns the contents that the store still names: equal contents are one file
 */
function forgetCases(
  db: Database,
  caseIds: readonly string[],
  namedIds: () => ReadonlySet<string>,
): Forgotten {
  return db.transaction(() => {
    const ids = JSON.stringify(caseIds);
    const ofCases = 'case_id IN (SELECT value FROM json_each(@ids))';
    const going = `SELECT d.id FROM drafts d LEFT JOIN outbox o ON o.id = d.queue_id
      WHERE d.${ofCases} AND (d.copy_of IS NOT NULL OR o.state = 'delivered')`;
    const files = db
      .prepare<[{ ids: string }], { sent: string; original: string | null }>(
        `SELECT blob_id AS sent, details ->> '$.original.blobId' AS original FROM attachments
         WHERE draft_id IN (${going})`,
      )
      .all({ ids });
    db.prepare(`DELETE FROM drafts WHERE id IN (${going})`).run({ ids });
    for (const table of caseTables)
      db.prepare(`DELETE FROM ${table} WHERE ${ofCases}`).run({ ids });
    const blobIds = new Set(files.flatMap(({ sent, original }) => [sent, original ?? []].flat()));
    const named = namedIds();
    return { files: files.length, blobIds: [...blobIds].filter((blobId) => !named.has(blobId)) };
  })();
}

/**
 * The cases with a draft, a file of a batch, typed text, or work that is not delivered. None of
 * them may be removed.
 */
function casesInWork(db: Database): Set<string> {
  const rows = db
    .prepare<[], { id: string }>(
      `SELECT d.case_id AS id FROM drafts d LEFT JOIN outbox o ON o.id = d.queue_id
         WHERE d.copy_of IS NULL AND (d.queue_id IS NULL OR o.state != 'delivered')
           AND d.case_id != ''
       UNION SELECT f.case_id FROM batch_files f JOIN batches b ON b.id = f.batch_id
         WHERE f.case_id IS NOT NULL AND f.queue_id IS NULL AND f.is_removed = 0
           AND b.is_discarded = 0
       UNION SELECT case_id FROM edits
       UNION SELECT case_id FROM outbox WHERE state NOT IN ('delivered', 'discarded')`,
    )
    .all();
  return new Set(rows.map(({ id }) => id));
}
