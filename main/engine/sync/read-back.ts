import type { DeskProblem } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import { sleep } from '../../partner/clock.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { Work } from '../work/open-work.ts';
import { findDifferences, settleDisputes } from './compare-delivered.ts';
import { failureKind, type FailureKind } from './failures.ts';

/** Up to this number of cases is read one by one after a delivery; more come with a pull. */
const readOneByOneMax = 10;
/** A backup is hardly older than this. */
const recentBackupMs = 7 * 24 * 60 * 60_000;
/** Before a reading that differs from what was delivered is made again. */
const rereadPausesMs = [2_000, 5_000];

interface ReadBackParts {
  readonly cache: Cache;
  readonly work: Work;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly emit: (event: DeskEvent) => void;
  readonly onRow: (rowId: number) => void;
  readonly pull: () => Promise<unknown>;
  /** X2, in the background. */
  readonly readCase: (caseId: string) => Promise<void>;
  /** X10, in the background. */
  readonly readReports: (caseId: string) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Reads what was delivered, and compares: delivered means seen. */
export class ReadBack {
  readonly #parts: ReadBackParts;

  constructor(parts: ReadBackParts) {
    this.#parts = parts;
  }

  /**
   * After a delivery. What was delivered is in doubt again if the partner was restored from a backup
   * since.
   * @param touched cases of which the partner has news
   * @returns how many acts the partner has otherwise
   */
  async run(touched: ReadonlySet<string>): Promise<number> {
    const doubted = this.#doubtTakenBack();
    await this.#disputeGone(doubted);
    await this.#read(touched);
    this.#settle();
    return await this.#compare();
  }

  /**
   * One case that cannot be read keeps no other from being read, unless the next fails alike.
   * @returns the cases that were read
   */
  async each(
    caseIds: Iterable<string>,
    read: (caseId: string) => Promise<void>,
  ): Promise<ReadonlySet<string>> {
    const wasRead = new Set<string>();
    let last: FailureKind | null = null;
    for (const caseId of caseIds) {
      try {
        await read(caseId);
        wasRead.add(caseId);
        last = null;
      } catch (error) {
        this.#parts.onFailure(error);
        const kind = failureKind(error);
        if (this.#parts.signal.aborted || kind === last) break;
        last = kind;
      }
    }
    return wasRead;
  }

  /**
   * A backup has every change up to its latest, so what was delivered before is in it, on every case:
   * one that was changed since the restoring does not show what it lost, and one that was made since
   * is not there.
   * @returns the cases of what is in doubt
   */
  #doubtTakenBack(): ReadonlySet<string> {
    const { cache, work, clock } = this.#parts;
    const taken = cache.cases.older.taken();
    const restoredTo = cache.pullState.text('pull-restored');
    const stamps = [...taken.map(({ lastChangedAt }) => lastChangedAt), restoredTo ?? []].flat();
    const [latest] = stamps.toSorted((a, b) => timeOf(b) - timeOf(a));
    const doubted = new Set<string>();
    if (latest === undefined) return doubted;
    // One case with an old stamp alone may be the server's carelessness.
    const isRecent = clock.now() - timeOf(latest) < recentBackupMs;
    if (restoredTo !== null || taken.length > 1 || isRecent)
      for (const id of work.outbox.compareAgain(null, latest)) doubted.add(id);
    for (const { caseId, lastChangedAt } of taken)
      for (const id of work.outbox.compareAgain(caseId, lastChangedAt)) doubted.add(id);
    for (const caseId of [...doubted, ...taken.map((one) => one.caseId)])
      cache.reports.forgetListing(caseId);
    return doubted;
  }

  /** What was delivered on a case that the backup does not have; done again until all were read. */
  async #disputeGone(doubted: ReadonlySet<string>): Promise<void> {
    const { cache, work, onRow, readCase } = this.#parts;
    const taken = cache.cases.older.taken();
    const wasRead = await this.each(doubted, readCase);
    for (const row of work.outbox.uncompared()) {
      const isGone = cache.cases.find(row.caseId)?.goneReason === 'not_found';
      if (!isGone || !doubted.has(row.caseId) || !wasRead.has(row.caseId)) continue;
      const problem: DeskProblem = { code: 'server_case_gone', params: { status: 404 } };
      work.outbox.dispute(row, { act: row.act, problem, isMendable: true });
      onRow(row.id);
    }
    if (wasRead.size < doubted.size) return;
    for (const { caseId } of taken) cache.cases.older.settle(caseId);
    cache.pullState.removeText('pull-restored');
  }

  /** Reads the server's own view of what was delivered; until then the act lies over the cache. */
  async #read(touched: ReadonlySet<string>): Promise<void> {
    const { cache, work, pull, readCase, readReports } = this.#parts;
    const cases = new Set(touched);
    for (const { caseId } of work.overlays.delivered()) cases.add(caseId);
    const reports = new Set(touched);
    for (const { kind, caseId } of [...work.outbox.uncompared(), ...work.outbox.disputed()]) {
      if (kind === 'report' && cache.cases.find(caseId)) reports.add(caseId);
    }
    // The work is delivered; what could not be read back comes with the next round.
    if (cases.size > readOneByOneMax) await pull().catch(() => undefined);
    else await this.each(cases, readCase);
    await this.each(reports, readReports);
  }

  #settle(): void {
    const { cache, work, clock, onRow, emit } = this.#parts;
    const settled = settleDisputes({ work, cache }, new Date(clock.now()).toISOString());
    if (settled.length === 0) return;
    for (const { id } of settled) onRow(id);
    emit({ type: 'cases.changed', caseIds: settled.map(({ caseId }) => caseId) });
  }

  /** A difference is read again before the user is asked, because a reading may lag behind. */
  async #compare(): Promise<number> {
    const { cache, work, clock, signal, onRow, emit, readCase, readReports } = this.#parts;
    const find = () => findDifferences({ work, cache }, new Date(clock.now()).toISOString());
    let differences = find();
    for (const pauseMs of rereadPausesMs) {
      if (differences.length === 0) return 0;
      await sleep(clock, pauseMs, signal);
      const cases = new Set(differences.map(({ row }) => row.caseId));
      const wasRead = await this.each(cases, async (caseId) => {
        await readCase(caseId);
        await readReports(caseId);
      });
      differences = find().filter(({ row }) => wasRead.has(row.caseId));
    }
    if (differences.length === 0) return 0;
    for (const difference of differences) {
      work.outbox.dispute(difference.row, difference);
      onRow(difference.row.id);
    }
    emit({ type: 'cases.changed', caseIds: differences.map(({ row }) => row.caseId) });
    return differences.length;
  }
}
