/**
 * `npm run bench -- engine`: homes of 20,000 and 100,000 cases, and what the user feels of them.
 * Each is filled here and measured in a separate process (open-home.ts), which has nothing in its
 * memory but what the desk needs.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openCache, type Cache } from '#main/engine/cache/open-cache.ts';
import { heapFlags } from '../../scripts/lib/heap-flags.mjs';
import { root, temporaryFolder } from '../support/processes.ts';
import { caseInPlace, createPayloads, fillCases } from './sample-claims.ts';

const keyHex = 'ab'.repeat(32);
const documentChars = 8000;

/**
 * One case in ten, the newest, has a list of documents, and one in a hundred has their texts, which
 * are as long as a few pages.
 */
function fillDocuments(cache: Cache, cases: number): void {
  const textOf = createPayloads(2);
  for (let number = cases * 0.9; number < cases; number += 1) {
    const { Id: caseId, LastChangedAt: at } = caseInPlace(number);
    const documents = ['Gutachten', 'Offerte Garage', 'Fahrzeugausweis'].map((name, index) => ({
      id: `d${index}`,
      fileName: `${name} ${number}.pdf`,
      contentType: 'application/pdf',
      sizeBytes: 1,
      createdAt: at,
    }));
    cache.documents.replaceList(caseId, documents, { listedAt: at, lastChangedAt: at });
    if (number < cases * 0.99) continue;
    for (const { id } of documents) {
      const blobId = `${number}-${id}`;
      cache.documents.setBlob(caseId, id, blobId);
      const text = textOf(number, documentChars);
      cache.documents.index.setText(caseId, id, {
        blobId,
        text,
        scannedPages: [],
        billPages: [],
        totals: [],
        estimate: null,
      });
    }
  }
}

function benchHome(dir: string, cases: number): void {
  mkdirSync(dir);
  const cache = openCache(join(dir, 'cache.db'), keyHex);
  fillCases(cache, cases);
  cache.together(() => fillDocuments(cache, cases));
  cache.close();
  // As scripts/run.mjs starts a desk, and as on every start but the first: without a folder it
  // loads itself only, so that its scripts are compiled.
  const compileCache = pathToFileURL(join(root, 'scripts/lib/compile-cache.mjs')).href;
  const node = ['--import', compileCache, ...heapFlags('main/start.ts')];
  const openHome = [...node, join(import.meta.dirname, 'open-home.ts')];
  execFileSync(process.execPath, openHome);
  execFileSync(process.execPath, [...openHome, dir, keyHex], { stdio: 'inherit' });
}

const folder = temporaryFolder();
try {
  for (const cases of [20_000, 100_000]) benchHome(join(folder.path, String(cases)), cases);
} finally {
  folder.remove();
}
