import { rmSync } from 'node:fs';
import type { CaseFilter, CaseListInput } from '#shared/desk/cases.ts';
import { migrate } from '../database/migrate.ts';
import { isCorruption, openDatabase, type Database } from '../database/sqlite.ts';
import { listPlaces, type CaseListRecords, type CasePlaces } from './case-list.ts';
import { CaseStore } from './case-store.ts';
import { Facets } from './facets.ts';
import { DocumentStore } from './document-store.ts';
import { filteredPlaces, hasWideFilter } from './filtered-list.ts';
import { readInsights, readInsurers, type InsightCell } from './insights.ts';
import { cases } from './migrations/0001-cases.ts';
import { caseChanges } from './migrations/0002-case-changes.ts';
import { reportsListedFor } from './migrations/0003-reports-listed-for.ts';
import { caseOrders } from './migrations/0004-case-orders.ts';
import { documentTexts } from './migrations/0005-document-texts.ts';
import { textTries } from './migrations/0006-text-tries.ts';
import { placesOfDocuments } from './migrations/0007-places-of-documents.ts';
import { mergeInPairs } from './migrations/0008-merge-in-pairs.ts';
import { leavesThatFit } from './migrations/0009-leaves-that-fit.ts';
import { ReportStore } from './report-store.ts';
import { findWords } from './found-words.ts';
import { IndexTidier } from './index-tidier.ts';
import { SearchIndex } from './search-index.ts';
import { readToday, type TodayRecords } from './today.ts';
import { WalkStore } from './walk-store.ts';

export const cacheMigrations = [
  cases,
  caseChanges,
  reportsListedFor,
  caseOrders,
  documentTexts,
  textTries,
  placesOfDocuments,
  mergeInPairs,
  leavesThatFit,
];

/** What the server said. May be deleted at any time: a sync builds it again. */
export interface Cache {
  readonly cases: CaseStore;
  readonly documents: DocumentStore;
  readonly reports: ReportStore;
  readonly walks: WalkStore;
  list(input: CaseListInput): CaseListRecords;
  /** Ids of a stretch of the list, in its order. */
  ids(input: CaseListInput): string[];
  /** @param day YYYY-MM-DD in Zurich */
  today(day: string): TodayRecords;
  insurers(): string[];
  insights(filter: CaseFilter): InsightCell[];
  /** Runs `task` in one transaction. */
  together<Result>(task: () => Result): Result;
  /** One step of tidying, which goes on by itself while nothing is entered; false where all is tidy. */
  tidy(): boolean;
  close(): void;
}

/**
 * Opens the cache; one that cannot be read any more is deleted and begun anew.
 * @throws {DeskError} home_newer
 */
export function openCache(file: string, keyHex: string): Cache {
  try {
    return openParts(file, keyHex);
  } catch (error) {
    if (!isCorruption(error)) throw error;
    deleteCache(file);
    return openParts(file, keyHex);
  }
}

function openParts(file: string, keyHex: string): Cache {
  const db = openChecked(file, keyHex);
  try {
    const facets = new Facets(db);
    const caseStore = new CaseStore(db, facets);
    const search = new SearchIndex(db);
    const documents = new DocumentStore(db);
    const wordsOf = ({ q = '' }: CaseFilter) => findWords(search, documents.index, q);
    const placesOf = (input: CaseListInput): CasePlaces =>
      hasWideFilter(input)
        ? filteredPlaces(db, wordsOf(input), input)
        : listPlaces({ db, facets, search }, wordsOf(input), input);
    const stores = {
      cases: caseStore,
      documents,
      reports: new ReportStore(db),
      walks: new WalkStore(db),
    };
    // After the first page of the list, and before a person has typed a word. Only once nothing can
    // fail here any more: a file that turns out damaged is closed at once.
    const warming = setTimeout(() => warm(facets), 1000).unref();
    const tidier = new IndexTidier(db);
    tidier.wake();
    return {
      ...stores,
      list(input) {
        const { places, ...counts } = placesOf(input);
        return { items: caseStore.atPlaces(places), ...counts };
      },
      ids: (input) => caseStore.idsAt(placesOf(input).places),
      today: (day) => readToday({ db, cases: caseStore }, day),
      insurers: () => readInsurers(db),
      insights: (filter) => readInsights(db, wordsOf(filter), filter),
      tidy: () => tidier.step(),
      together(task) {
        tidier.wake();
        try {
          return db.transaction(task)();
        } catch (error) {
          facets.forget();
          throw error;
        }
      },
      close() {
        clearTimeout(warming);
        tidier.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function warm(facets: Facets): void {
  try {
    facets.warm();
  } catch {
    // Nobody waits for it: whoever asks next meets the damage, and has the cache built anew.
  }
}

function openChecked(file: string, keyHex: string): Database {
  const db = openDatabase({ file, keyHex, durability: 'normal' });
  try {
    // A page cache above SQLite's own 2 MB and rare checkpoints: the bulk of a first sync is a quarter
    // faster. Above 8 MB nothing gets quicker any more (decision 0051).
    db.pragma('cache_size=-8192');
    db.pragma('wal_autocheckpoint=8000');
    migrate(db, cacheMigrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Nothing of it is lost: a sync builds it again. */
export function deleteCache(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
