import { z } from 'zod';
import type { Readiness as ReadinessView, ReadinessInput } from '#shared/desk/cases/day.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { Cache } from '../cache/open-cache.ts';
import { jsonValue } from '../database/stored-values.ts';
import { listProblem, pullFindings, unreadableProblem } from '../sync/pull.ts';
import type { Sync } from '../sync/sync.ts';

const daysMax = 62;
/** When each day was last checked. */
const checksValue = jsonValue('ready-checks', z.record(z.string(), z.string()));

export interface ReadinessParts {
  readonly cache: Cache;
  readonly cacheFiles: BlobStore;
  readonly sync: Sync;
  readonly clock: Clock;
  readonly log: FaultLog;
  readonly emit: (event: DeskEvent) => void;
}

/**
 * Shows whether the laptop has everything for the cases of some days. The figures are computed each
 * time from the cache and the files. A check fetches what is missing and stores its time.
 */
export class Readiness {
  readonly #parts: ReadinessParts;
  /** The reason why the last check did not reach its end. */
  #problem: DeskProblem | null = null;
  /** By case id, the reason why the last check could not download a list or a document. */
  #skipped = new Map<string, DeskProblem>();
  #checking: { readonly days: ReadinessInput; readonly done: Promise<void> } | null = null;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
  }

  /**
   * Syncs, and then fetches. If the same days are already being checked, the caller waits for the
   * same end.
   */
  async check(days: ReadinessInput): Promise<ReadinessView> {
    while (this.#checking) {
      const { done, days: under } = this.#checking;
      await done;
      if (under.from === days.from && under.to === days.to) return this.view(days);
    }
    const done = this.#check(days).finally(() => (this.#checking = null));
    this.#checking = { days, done };
    await done;
    return this.view(days);
  }

  async #check(days: ReadinessInput): Promise<void> {
    const { cache, sync, clock, emit } = this.#parts;
    this.#problem = null;
    this.#skipped.clear();
    const report = (done: number, total: number) =>
      emit({ type: 'task.progress', task: 'ready', done, total });
    report(0, 0);
    try {
      await sync.pullAnew();
      const ids = cache.casesOfDays(days).map(({ id }) => id);
      this.#forgetLost(ids);
      await sync.fetchCases(ids, {
        onProgress: ({ done, total }) => report(done, total),
        onSkip: (caseId, problem) => this.#skipped.set(caseId, problem.problem),
      });
      // A case of these days may be among those that could not be read.
      if (this.#listProblem() === null) this.#remember(days, clock.now());
    } catch (error) {
      const problem = toDeskError(error, 'day.makeReady', this.#parts.log);
      if (problem.code === 'internal') throw error;
      this.#problem = problem.problem;
    }
  }

  /** Forgets contents whose file is missing, so that they are fetched again. */
  #forgetLost(caseIds: readonly string[]): void {
    const { documents } = this.#parts.cache;
    for (const caseId of caseIds) {
      for (const { id, blobId } of documents.list(caseId).items) {
        if (!this.#isHere(blobId)) documents.setBlob(caseId, id, null);
      }
    }
  }

  #isHere = (blobId: string | null) => blobId !== null && this.#parts.cacheFiles.has(blobId);

  /** The present state, without a request to the partner. */
  view({ from, to }: ReadinessInput): ReadinessView {
    const { cache, sync } = this.#parts;
    const records = cache.casesOfDays({ from, to });
    const stale = new Set(
      cache.documents
        .staleOf(records.map(({ id }) => id))
        .filter(({ listIsStale }) => listIsStale)
        .map(({ caseId }) => caseId),
    );
    const missing: ReadinessView['missing'] = [];
    let documents = 0;
    for (const record of records) {
      const lacking = stale.has(record.id) ? null : this.#lacking(record);
      if (lacking?.length === 0) documents += record.documentCount ?? 0;
      else missing.push(this.#missing(record, lacking));
    }
    const facts = {
      cases: records.length,
      complete: records.length - missing.length,
      documents,
      missing,
      checkedAt: this.#checkedAt(from, to),
      problem: this.#problem,
      listProblem: this.#listProblem(),
    };
    return {
      from,
      to,
      ...facts,
      verdict: readinessVerdict(facts),
      offlineSince: sync.state.offlineSince,
      checking: this.#checking !== null,
    };
  }

  #listProblem(): DeskProblem | null {
    const { cache } = this.#parts;
    return listProblem(pullFindings(cache)) ?? unreadableProblem(cache.unreadable.cases());
  }

  #lacking({ id }: CaseRecord): string[] {
    return this.#parts.cache.documents
      .list(id)
      .items.filter(({ blobId }) => !this.#isHere(blobId))
      .map(({ fileName }) => fileName);
  }

  #missing({ id, externalKey, partyName }: CaseRecord, documents: string[] | null) {
    return { id, externalKey, partyName, documents, problem: this.#skipped.get(id) ?? null };
  }

  /** The earliest check of these days; null if one of the days was never checked. */
  #checkedAt(from: string, to: string): string | null {
    const checks = this.#checks();
    const days = daysOf({ from, to });
    const moments = days.flatMap((day) => checks[day] ?? []).sort();
    return moments.length === days.length ? (moments[0] ?? null) : null;
  }

  #checks(): Record<string, string> {
    return this.#parts.cache.values.get(checksValue) ?? {};
  }

  /** Notes the check. Those of days that are long over are forgotten. */
  #remember(days: ReadinessInput, nowMs: number): void {
    const first = addDays(zurichDay(nowMs), -7);
    const known = Object.entries(this.#checks()).filter(([day]) => day >= first);
    const at = new Date(nowMs).toISOString();
    const checked = daysOf(days).map((day) => [day, at] as const);
    const checks = Object.fromEntries([...known, ...checked]);
    this.#parts.cache.values.set(checksValue, checks);
  }
}

/** The verdict on some days. It is complete only without any doubt, so each doubt comes first. */
export function readinessVerdict(
  facts: Pick<ReadinessView, 'cases' | 'missing' | 'checkedAt' | 'problem' | 'listProblem'>,
): ReadinessView['verdict'] {
  if (facts.listProblem !== null) return 'notKnown';
  if (facts.problem !== null || facts.checkedAt === null) return 'unchecked';
  if (facts.missing.length > 0) return 'missing';
  return facts.cases === 0 ? 'none' : 'complete';
}

function daysOf({ from, to }: ReadinessInput): string[] {
  const days: string[] = [];
  for (let day = from; day <= to && days.length < daysMax; day = addDays(day, 1)) days.push(day);
  return days;
}
