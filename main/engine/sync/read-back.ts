import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import { sleep } from '../../partner/clock.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { Work } from '../work/open-work.ts';
import { findDifferences, settleDisputes } from './compare-delivered.ts';
import { failureKind, type FailureKind } from './failures.ts';
import { restoredToValue } from './pull.ts';

/**
 * Up to this number of cases are read one by one after a delivery. If there are more, a pull reads
 * them.
 */
const readOneByOneMax = 10;
/** The oldest backup that a partner would restore. */
const recentBackupMs = 7 * 24 * 60 * 60_000;
/** The waits before the readings that repeat one with a difference. */
const rereadPausesMs = [2_000, 5_000];

/** The failures that may concern every request, and not one case alone. */
const ofAll: readonly FailureKind[] = ['host', 'line', 'locked'];
/** The number of equal failures in a row after which no further case is read. */
const alikeMax = { ofAll: 2, ofOneCase: 10 };

function mostAlike(error: unknown): number {
  const isPause = error instanceof DeskError && error.code === 'rate_limited';
  return isPause || ofAll.includes(failureKind(error)) ? alikeMax.ofAll : alikeMax.ofOneCase;
}

interface ReadBackParts {
  readonly cache: Cache;
  readonly work: Work;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly emit: (event: DeskEvent) => void;
  readonly onRow: (rowId: number) => void;
  readonly pull: () => Promise<unknown>;
  /** Reads a case (X2) in the background. */
  readonly readCase: (caseId: string) => Promise<void>;
  /** Reads the reports of a case (X10) in the background. */
  readonly readReports: (caseId: string) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Reads delivered work back from the partner and compares it, because it counts as delivered only
 * when it was seen.
 */
export class ReadBack {
  readonly #parts: ReadBackParts;
  readonly #sickCases = new Set<string>();
  readonly #sickReports = new Set<string>();

  constructor(parts: ReadBackParts) {
    this.#parts = parts;
  }

  /**
   * Reads back after a delivery. If the partner was restored from a backup, earlier deliveries are
   * in doubt again.
   * @param touched the cases of which the partner has news
   * @returns the number of acts whose state at the partner differs
   */
  async run(touched: ReadonlySet<string>): Promise<number> {
    const doubted = this.#doubtTakenBack();
    await this.#disputeGone(doubted);
    await this.#read(touched);
    this.#settle();
    return await this.#compare();
  }

  /** Reads the reports of each case. */
  async readReports(caseIds: Iterable<string>): Promise<void> {
    await this.#each(caseIds, this.#parts.readReports, this.#sickReports);
  }

  /**
   * Reads each case. If one cannot be read, the others are still read, unless the next ones fail in
   * the same way.
   * @param sick the cases that failed before. They come last, so that they do not hold up the
   *   others each time.
   * @returns the cases that were read
   */
  async #each(
    caseIds: Iterable<string>,
    read: (caseId: string) => Promise<void>,
    sick: Set<string>,
  ): Promise<ReadonlySet<string>> {
    const wasRead = new Set<string>();
    const order = [...caseIds].toSorted((a, b) => Number(sick.has(a)) - Number(sick.has(b)));
    let last: FailureKind | null = null;
    let alike = 0;
    for (const caseId of order) {
      try {
        await read(caseId);
        wasRead.add(caseId);
        sick.delete(caseId);
        last = null;
      } catch (error) {
        this.#parts.onFailure(error);
        sick.add(caseId);
        const kind = failureKind(error);
        alike = kind === last ? alike + 1 : 1;
        last = kind;
        if (this.#parts.signal.aborted || alike >= mostAlike(error)) break;
      }
    }
    return wasRead;
  }

  /**
   * A backup contains every change before its latest one, so earlier deliveries are in it. Later
   * deliveries are in doubt on every case: a case that changed after the restoration does not show
   * what it lost, and a case that was created later is missing.
   * @returns the cases of the doubtful deliveries
   */
  #doubtTakenBack(): ReadonlySet<string> {
    const { cache, work, clock } = this.#parts;
    const taken = cache.cases.older.taken();
    const restoredTo = cache.values.get(restoredToValue);
    const stamps = [...taken.map(({ lastChangedAt }) => lastChangedAt), restoredTo ?? []].flat();
    const [latest] = stamps.toSorted((a, b) => timeOf(b) - timeOf(a));
    const doubted = new Set<string>();
    if (latest === undefined) return doubted;
    // A single case with an old time may be a mistake of the server.
    const isRecent = clock.now() - timeOf(latest) < recentBackupMs;
    if (restoredTo !== null || taken.length > 1 || isRecent)
      for (const id of work.outbox.deliveries.compareAgain(null, latest)) doubted.add(id);
    for (const { caseId, lastChangedAt } of taken)
      for (const id of work.outbox.deliveries.compareAgain(caseId, lastChangedAt)) doubted.add(id);
    for (const caseId of [...doubted, ...taken.map((one) => one.caseId)])
      cache.reports.forgetListing(caseId);
    return doubted;
  }

  /**
   * Disputes deliveries on cases that the backup does not have. It is repeated until all cases were
   * read.
   */
  async #disputeGone(doubted: ReadonlySet<string>): Promise<void> {
    const { cache, work, onRow, readCase } = this.#parts;
    const taken = cache.cases.older.taken();
    const wasRead = await this.#each(doubted, readCase, this.#sickCases);
    for (const row of work.outbox.rows.uncompared()) {
      const isGone = cache.cases.find(row.caseId)?.goneReason === 'not_found';
      if (!isGone || !wasRead.has(row.caseId)) continue;
      const problem: DeskProblem = { code: 'server_case_gone', params: { status: 404 } };
      work.outbox.deliveries.dispute(row, { act: row.act, problem, isMendable: true });
      onRow(row.id);
    }
    if (wasRead.size < doubted.size) return;
    for (const { caseId } of taken) cache.cases.older.settle(caseId);
    cache.values.remove(restoredToValue);
  }

  /** Reads the server's state of what was delivered. Until then the act overlays the cache. */
  async #read(touched: ReadonlySet<string>): Promise<void> {
    const { cache, work, pull, readCase } = this.#parts;
    const cases = new Set(touched);
    for (const { caseId } of work.overlays.delivered()) cases.add(caseId);
    const reports = new Set(touched);
    for (const { kind, caseId } of [
      ...work.outbox.rows.uncompared(),
      ...work.outbox.rows.disputed(),
    ]) {
      if (kind === 'report' && cache.cases.find(caseId)) reports.add(caseId);
    }
    // The work is delivered. What could not be read back is read in the next round.
    if (cases.size > readOneByOneMax) await pull().catch(() => undefined);
    else await this.#each(cases, readCase, this.#sickCases);
    await this.readReports(reports);
  }

  #settle(): void {
    const { cache, work, clock, onRow, emit } = this.#parts;
    const settled = settleDisputes({ work, cache }, new Date(clock.now()).toISOString());
    if (settled.length === 0) return;
    for (const { id } of settled) onRow(id);
    emit({ type: 'cases.changed', caseIds: settled.map(({ caseId }) => caseId) });
  }

  /**
   * A difference is read again before the user is asked, because a reading may show an old state.
   */
  async #compare(): Promise<number> {
    const { cache, work, clock, signal, onRow, emit, readCase, readReports } = this.#parts;
    const find = () => findDifferences({ work, cache }, new Date(clock.now()).toISOString(), onRow);
    let differences = find();
    for (const pauseMs of rereadPausesMs) {
      if (differences.length === 0) return 0;
      await sleep(clock, pauseMs, signal);
      const cases = new Set(differences.map(({ row }) => row.caseId));
      const readBoth = async (caseId: string) => {
        await readCase(caseId);
        await readReports(caseId);
      };
      const wasRead = await this.#each(cases, readBoth, new Set());
      differences = find().filter(({ row }) => wasRead.has(row.caseId));
    }
    if (differences.length === 0) return 0;
    for (const difference of differences) {
      work.outbox.deliveries.dispute(difference.row, difference);
      onRow(difference.row.id);
    }
    emit({ type: 'cases.changed', caseIds: differences.map(({ row }) => row.caseId) });
    return differences.length;
  }
}
