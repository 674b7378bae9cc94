/**
 * Makes the templates of reports that come with the desk (main/engine/templates/supplied) from
 * scripts/lib/report-templates.mjs: `node scripts/run.mjs scripts/templates.mjs [FOLDER]`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemplates } from './lib/report-templates.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.argv[2] ?? join(root, 'main/engine/templates/supplied');
mkdirSync(folder, { recursive: true });
for (const { fileName, bytes } of await makeTemplates())
  writeFileSync(join(folder, fileName), bytes);
