/**
 * Makes the Windows templates, the macOS description and the table of docs/it/policies.md from the
 * policy's schema. `node scripts/policy.mjs`; a test checks that the files match it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyFiles, withTable } from './lib/policy-templates.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
for (const [path, text] of Object.entries(policyFiles())) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const page = join(root, 'docs/it/policies.md');
writeFileSync(page, withTable(readFileSync(page, 'utf8')));
