import { rmSync } from 'node:fs';
import type { CaseFilter, CaseListInput } from '#shared/desk/cases/cases.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { isCorruption, migrate, openDatabase, type Database } from '../database/sqlite.ts';
import { StoredValues } from '../database/stored-values.ts';
import { type Dated, readIds, readPage } from './case-list.ts';
import { CaseSearch } from './case-search.ts';
import { CaseStore } from './case-store.ts';
import { DocumentStore } from './document-store.ts';
import { readSubmittedReports } from './submitted-reports.ts';
import { readInsights, readInsurers } from './insights.ts';
import { OwnCases } from './own-cases.ts';
import { PullSeen } from './pull-seen.ts';
import { ReportStore } from './report-store.ts';
import { cacheSteps } from './schema.ts';
import { casesOfDays, inspectedCases, readToday, type TodayQuestion } from './today.ts';
import { UnreadableStore } from './unreadable-store.ts';

/**
 * The data that the server returned. They may be deleted at any time, because a sync fetches them
 * again.
 */
export type Cache = ReturnType<typeof partsOf>;

/** Opens the cache. If it is damaged or of another version, it is deleted and created again. */
export function openCache(file: string, keyHex: string): Cache {
  try {
    return openSound(file, keyHex);
  } catch (error) {
    if (!isCorruption(error) && !isOtherSchema(error)) throw error;
    deleteCache(file);
    return openSound(file, keyHex);
  }
}

/** Opens the cache. @throws if it cannot be read, or has another schema */
function openSound(file: string, keyHex: string): Cache {
  const db = openDatabase({ file, keyHex, durability: 'normal' });
  try {
    migrate(db, cacheSteps);
    return partsOf(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

const isOtherSchema = (error: unknown) =>
  error instanceof DeskError && ['home_newer', 'home_unknown'].includes(error.code);

function partsOf(db: Database) {
  const cases = new CaseStore(db);
  const documents = new DocumentStore(db);
  const search = new CaseSearch(db, documents.index);
  return {
    cases,
    documents,
    reports: new ReportStore(db),
    unreadable: new UnreadableStore(db),
    /** Small values. Each belongs to the module that declares it. */
    values: new StoredValues(db, 'state'),
    pullSeen: new PullSeen(db),
    list(input: Dated<CaseListInput>) {
      const { ids, ...counts } = readPage(db, search, input);
      return { items: cases.byIds(ids), ...counts };
    },
    /** Adds a source of further cases that a search finds. */
    searchAlso: (find: (q: string) => readonly string[]) => void (search.also = find),
    /** The ids of a part of the list, in its order. */
    ids: (input: Dated<CaseListInput>) => readIds(db, search, input),
    /** The cases that are the user's own; all of them until a rule is set. */
    own: new OwnCases(db),
    today: (question: TodayQuestion) => readToday(db, cases, question),
    /** The user's cases whose inspection was on this day or before, without a report. */
    inspectedCases: (day: string) => inspectedCases(db, day),
    /** The user's open cases with an inspection on these days. */
    casesOfDays: (days: { from: string; to: string }) => casesOfDays(db, cases, days),
    submittedReports: (
      filter: Dated<CaseFilter>,
      known: Parameters<typeof readSubmittedReports>[3],
    ) => readSubmittedReports(db, search, filter, known),
    insurers: () => readInsurers(db),
    insights: (filter: Dated<CaseFilter>) => readInsights(db, search, filter),
    /** Runs `task` in one transaction. */
    together: <Result>(task: () => Result) => db.transaction(task)(),
    close: () => void db.close(),
  };
}

/** Deletes the cache. Nothing is lost, because a sync fetches it again. */
export function deleteCache(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
