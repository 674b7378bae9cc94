/**
 * Makes the table of docs/it/policies.md from the policy's schema. It also makes the Windows
 * templates and the macOS description in dist/policy, as packaging does. A test checks that the
 * table matches.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withTable, writePolicyFiles } from './lib/policy-templates.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
writePolicyFiles(root);
const page = join(root, 'docs/it/policies.md');
writeFileSync(page, withTable(readFileSync(page, 'utf8')));
