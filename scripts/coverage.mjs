/** Prints which tests name each rule of the partner API: `node scripts/run.mjs scripts/coverage.mjs`. */
import { namedRules } from '../test/spec/named-rules.ts';

process.stdout.write('| rule | id | tests that name it |\n|---|---|---|\n');
for (const { kind, id, tests } of namedRules()) {
  const named = tests.map(({ file, title }) => `\`${file}\` › ${title}`);
  process.stdout.write(`| ${kind} | \`${id}\` | ${named.join('<br>')} |\n`);
}
