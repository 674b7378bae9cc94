import { rmSync } from 'node:fs';
import type { CaseFilter, CaseListInput } from '#shared/desk/cases.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { isCorruption, migrate, openDatabase, type Database } from '../database/sqlite.ts';
import { type Dated, readIds, readPage } from './case-list.ts';
import { CaseSearch } from './case-search.ts';
import { CaseStore } from './case-store.ts';
import { DocumentStore } from './document-store.ts';
import { readInsights, readInsurers } from './insights.ts';
import { OwnCases } from './own-cases.ts';
import { PullState } from './pull-state.ts';
import { ReportStore } from './report-store.ts';
import { cacheSteps } from './schema.ts';
import { casesOfDays, readToday, type TodayQuestion } from './today.ts';
import { UnreadableStore } from './unreadable-store.ts';

/** What the server returned. May be deleted at any time: a sync builds it again. */
export type Cache = ReturnType<typeof partsOf>;

/** Opens the cache. One that is damaged or of another version is deleted and created again. */
export function openCache(file: string, keyHex: string): Cache {
  const opened = openIfSound(file, keyHex);
  if (opened) return opened;
  deleteCache(file);
  const db = openDatabase({ file, keyHex, durability: 'normal' });
  try {
    migrate(db, cacheSteps);
    return partsOf(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Null if the cache cannot be read, or has another schema. */
function openIfSound(file: string, keyHex: string): Cache | null {
  let db: Database | null = null;
  try {
    db = openDatabase({ file, keyHex, durability: 'normal' });
    migrate(db, cacheSteps);
    return partsOf(db);
  } catch (error) {
    db?.close();
    if (!isCorruption(error) && !isOtherSchema(error)) throw error;
  }
  return null;
}

const isOtherSchema = (error: unknown) =>
  error instanceof DeskError && ['home_newer', 'home_trial'].includes(error.code);

function partsOf(db: Database) {
  const cases = new CaseStore(db);
  const documents = new DocumentStore(db);
  const search = new CaseSearch(db, documents.index);
  return {
    cases,
    documents,
    reports: new ReportStore(db),
    unreadable: new UnreadableStore(db),
    pullState: new PullState(db),
    list(input: Dated<CaseListInput>) {
      const { ids, ...counts } = readPage(db, search, input);
      return { items: cases.byIds(ids), ...counts };
    },
    /** From now on a search finds these cases, too. */
    searchAlso: (find: (q: string) => readonly string[]) => void (search.also = find),
    /** Ids of a stretch of the list, in its order. */
    ids: (input: Dated<CaseListInput>) => readIds(db, search, input),
    /** Which cases are the user's own; all until a rule is set. */
    own: new OwnCases(db),
    today: (question: TodayQuestion) => readToday(db, cases, question),
    /** The user's open cases to be inspected on these days. */
    casesOfDays: (days: { from: string; to: string }) => casesOfDays(db, cases, days),
    insurers: () => readInsurers(db),
    insights: (filter: Dated<CaseFilter>) => readInsights(db, search, filter),
    /** Runs `task` in one transaction. */
    together: <Result>(task: () => Result) => db.transaction(task)(),
    close: () => void db.close(),
  };
}

/** Nothing of it is lost: a sync builds it again. */
export function deleteCache(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
