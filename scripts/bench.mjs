/**
 * `npm run bench -- electron|engine|gateway|lists|service|telephone|window` prints figures, which never pass
 * or fail. Every test/bench/NAME*.ts prints one JSON object per line: what, figure, unit, limit,
 * ratio.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test', 'bench');
const [name, ...rest] = process.argv.slice(2);
const benches = readdirSync(folder).filter(
  (file) => name && rest.length === 0 && file.startsWith(name) && file.endsWith('.ts'),
);
if (benches.length === 0) {
  process.stderr.write(
    'Usage: npm run bench -- electron|engine|gateway|lists|service|telephone|window\n',
  );
  process.exitCode = 2;
}
for (const file of benches) await import(pathToFileURL(join(folder, file)).href);
