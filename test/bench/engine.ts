import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { digestPayload } from '#shared/payload/digest.ts';
import { parsePayload } from '#shared/payload/parse-payload.ts';
import { searchText } from '#main/engine/cache/case-records.ts';
import { openCache, type Cache } from '#main/engine/cache/open-cache.ts';
import { cacheSchema } from '#main/engine/cache/schema.ts';
import { caseAnswer, pageAnswer } from '#main/engine/client/answers.ts';
import { openDatabase, type Database } from '#main/engine/database/sqlite.ts';
import { heapFlags } from '../../scripts/lib/heap-flags.mjs';
import { root, temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { answeredCase, caseInPlace, createPayloads } from './sample-claims.ts';

const keyHex = 'ab'.repeat(32);
const pageSize = 200;
const homeCases = 100_000;
const casesWithDocuments = 10_000;
const casesWithTexts = 1000;
const documentChars = 8000;
const casePage = pageAnswer(caseAnswer);

/** Texts of X1 answers of 200 cases each, as they come out of the line. */
function* pageTexts(count: number): Generator<string> {
  const payloadOf = createPayloads(1);
  for (let page = 0; page < count / pageSize; page += 1) {
    yield JSON.stringify({
      Total: count,
      Page: page + 1,
      Size: pageSize,
      Items: Array.from({ length: pageSize }, (_, index) =>
        answeredCase(page * pageSize + index, payloadOf),
      ),
    });
  }
}

const parsePage = (text: string) => casePage.parse(JSON.parse(text)).items;

function timed(task: () => void): number {
  const start = performance.now();
  task();
  return performance.now() - start;
}

/** The engine's way of a page: parse, check, store, index; a transaction a page. */
function storePages(file: string, texts: readonly string[]): number {
  const cache = openCache(file, keyHex);
  const ms = timed(() => {
    for (const text of texts) cache.together(() => cache.cases.upsert(parsePage(text)));
  });
  cache.close();
  return ms;
}

type Row = (string | number | null)[];
interface ReadyCase {
  readonly row: Row;
  readonly payload: Row;
  readonly search: Row;
}

function selectAll(db: Database, table: string): Row[] {
  // raw() gives lists of values, which its types do not say.
  return db.prepare(`SELECT * FROM ${table} ORDER BY rowid`).raw().all() as Row[];
}

/** The rows that the engine wrote, and the search texts again, which the index does not keep. */
function readyCases(file: string, texts: readonly string[]): ReadyCase[] {
  const db = openDatabase({ file, keyHex, durability: 'normal' });
  const rows = selectAll(db, 'cases');
  const payloads = selectAll(db, 'case_payloads');
  db.close();
  return texts.flatMap(parsePage).map((input, index) => {
    const row = rows[index] ?? [];
    const [, seq = 0] = row;
    const digest = digestPayload(input.category, parsePayload(input.payloadJson));
    return { row, payload: payloads[index] ?? [], search: [seq, searchText(input, digest)] };
  });
}

/** The bare loop: the same rows into the same tables and index, as many a transaction. */
function insertBare(file: string, ready: readonly ReadyCase[]): number {
  const db = openDatabase({ file, keyHex, durability: 'normal' });
  db.exec(cacheSchema);
  const insert = (table: string, width: number) =>
    db.prepare(`INSERT INTO ${table} VALUES (${Array(width).fill('?').join(',')})`);
  const [first] = ready;
  const cases = insert('cases', first?.row.length ?? 0);
  const payloads = insert('case_payloads', 2);
  const search = db.prepare('INSERT INTO case_search (rowid, text) VALUES (?, ?)');
  const insertPage = db.transaction((page: readonly ReadyCase[]) => {
    for (const one of page) {
      cases.run(...one.row);
      payloads.run(...one.payload);
      search.run(...one.search);
    }
  });
  const ms = timed(() => {
    for (let at = 0; at < ready.length; at += pageSize) insertPage(ready.slice(at, at + pageSize));
  });
  db.close();
  return ms;
}

/**
 * Storing against the bare loop, one run each after a run to warm up. The pages lie in memory: the network, the walk's
 * own rows and the events are not in the figure.
 */
function benchStoring(dir: string, texts: readonly string[]): void {
  const count = texts.length * pageSize;
  storePages(join(dir, 'warm.db'), texts);
  const ready = readyCases(join(dir, 'warm.db'), texts);
  const bareMs = insertBare(join(dir, 'bare.db'), ready);
  const ownMs = storePages(join(dir, 'own.db'), texts);
  printFigure({
    what: `storing pulled cases (parse, check, store, index), ${count} of 4 KB, against a bare loop`,
    figure: (count / ownMs) * 1000,
    unit: 'cases/s',
    limit: 0.5,
    ratio: bareMs / ownMs,
  });
}

/**
 * The newest cases have a list of documents, and those among them that are due have texts, which
 * are as long as a few pages.
 */
function fillDocuments(cache: Cache): void {
  const textOf = createPayloads(2);
  for (let number = homeCases - casesWithDocuments; number < homeCases; number += 1) {
    const { Id: caseId, LastChangedAt: at } = caseInPlace(number);
    const documents = ['Gutachten', 'Offerte Garage', 'Fahrzeugausweis'].map((name, index) => ({
      id: `d${index}`,
      fileName: `${name} ${number}.pdf`,
      contentType: 'application/pdf',
      sizeBytes: 1,
      createdAt: at,
    }));
    cache.documents.replaceList(caseId, documents, { listedAt: at, lastChangedAt: at });
    if (number < homeCases - casesWithTexts) continue;
    for (const { id } of documents) {
      const blobId = `${number}-${id}`;
      cache.documents.setBlob(caseId, id, blobId);
      const text = textOf(number, documentChars);
      cache.documents.index.setText(caseId, id, { blobId, text, scannedPages: [], totals: [] });
    }
  }
}

/**
 * Fills a workspace to 100,000 cases and measures it in a process of its own (open-home.ts), which
 * has nothing in its memory but what the desk needs.
 */
function benchHome(dir: string): void {
  const workspace = join(dir, 'workspace');
  mkdirSync(workspace);
  const cache = openCache(join(workspace, 'cache.db'), keyHex);
  for (const text of pageTexts(homeCases)) {
    cache.together(() => cache.cases.upsert(parsePage(text)));
  }
  cache.together(() => fillDocuments(cache));
  cache.close();
  // As scripts/run.mjs starts a desk, and as on every start but the first: without a folder it loads
  // itself only, so that its scripts are compiled.
  const compileCache = pathToFileURL(join(root, 'scripts/lib/compile-cache.mjs')).href;
  const node = ['--import', compileCache, ...heapFlags('main/start.ts')];
  const openHome = [...node, join(import.meta.dirname, 'open-home.ts')];
  execFileSync(process.execPath, openHome);
  execFileSync(process.execPath, [...openHome, workspace, keyHex], { stdio: 'inherit' });
}

const folder = temporaryFolder();
try {
  benchStoring(folder.path, [...pageTexts(10_000)]);
  benchHome(folder.path);
} finally {
  folder.remove();
}
