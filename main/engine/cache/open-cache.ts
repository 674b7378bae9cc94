import { rmSync } from 'node:fs';
import type { CaseFilter, CaseListInput } from '#shared/desk/cases.ts';
import { isCorruption, openDatabase, type Database } from '../database/sqlite.ts';
import { CaseList, type CasePage } from './case-list.ts';
import type { CaseRecord } from './case-records.ts';
import { CaseSearch } from './case-search.ts';
import { CaseStore } from './case-store.ts';
import { DocumentStore } from './document-store.ts';
import { readInsights, readInsurers, type InsightCell } from './insights.ts';
import { OwnCases } from './own-cases.ts';
import { PullState } from './pull-state.ts';
import { ReportStore } from './report-store.ts';
import { cacheSchema, cacheVersion } from './schema.ts';
import { casesOfDays, readToday, type TodayQuestion, type TodayRecords } from './today.ts';
import { UnreadableStore } from './unreadable-store.ts';

/** What the server said. May be deleted at any time: a sync builds it again. */
export interface Cache {
  readonly cases: CaseStore;
  readonly documents: DocumentStore;
  readonly reports: ReportStore;
  readonly unreadable: UnreadableStore;
  readonly pullState: PullState;
  list(input: CaseListInput): Omit<CasePage, 'ids'> & { readonly items: CaseRecord[] };
  /** From now on a search finds these cases, too. */
  searchAlso(find: (q: string) => readonly string[]): void;
  /** Ids of a stretch of the list, in its order. */
  ids(input: CaseListInput): string[];
  /** Which cases are the person's own; all until it is told. */
  readonly own: OwnCases;
  today(question: TodayQuestion): TodayRecords;
  /** The person's open cases to be inspected on these days. */
  casesOfDays(days: { from: string; to: string }): CaseRecord[];
  insurers(): string[];
  insights(filter: CaseFilter): InsightCell[];
  /** Runs `task` in one transaction. */
  together<Result>(task: () => Result): Result;
  close(): void;
}

/** Opens the cache. One that is damaged or of another version is deleted and made anew. */
export function openCache(file: string, keyHex: string): Cache {
  const opened = openIfSound(file, keyHex);
  if (opened) return opened;
  deleteCache(file);
  const db = openDatabase({ file, keyHex, durability: 'normal' });
  try {
    db.transaction(() => {
      db.exec(cacheSchema);
      db.pragma(`user_version = ${cacheVersion}`);
    })();
    return partsOf(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Null if there is no cache of this version that can be read. */
function openIfSound(file: string, keyHex: string): Cache | null {
  let db: Database | null = null;
  try {
    db = openDatabase({ file, keyHex, durability: 'normal' });
    if (db.pragma('user_version', { simple: true }) === cacheVersion) return partsOf(db);
    db.close();
  } catch (error) {
    db?.close();
    if (!isCorruption(error)) throw error;
  }
  return null;
}

function partsOf(db: Database): Cache {
  const cases = new CaseStore(db);
  const documents = new DocumentStore(db);
  const search = new CaseSearch(db, documents.index);
  const list = new CaseList(db, search);
  return {
    cases,
    documents,
    reports: new ReportStore(db),
    unreadable: new UnreadableStore(db),
    pullState: new PullState(db),
    list(input) {
      const { ids, ...counts } = list.page(input);
      return { items: cases.byIds(ids), ...counts };
    },
    searchAlso: (find) => void (search.also = find),
    ids: (input) => list.ids(input),
    own: new OwnCases(db),
    today: (question) => readToday(db, cases, question),
    casesOfDays: (days) => casesOfDays(db, cases, days),
    insurers: () => readInsurers(db),
    insights: (filter) => readInsights(db, search, filter),
    together: (task) => db.transaction(task)(),
    close: () => db.close(),
  };
}

/** Nothing of it is lost: a sync builds it again. */
export function deleteCache(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
