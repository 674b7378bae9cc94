/**
 * Makes the table of Swiss postal codes for the proposal of a day again:
 *
 *     npm pack switzerland-postal-codes && tar xzf switzerland-postal-codes-*.tgz
 *     node scripts/postal-places.mjs package
 *
 * The package (MIT) has the codes of Swiss Post with the coordinates of GeoNames (CC BY). The table
 * has a line for each code: the code, its latitude and its longitude in thousandths of a degree, as
 * the mean of the places that share the code.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.'] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const { name, version } = read('package.json');
const codes = read('dist/postal-codes-full.json');

const mean = (values) =>
  Math.round((values.reduce((sum, value) => sum + Number(value), 0) / values.length) * 1000);
const lines = Object.entries(codes).map(([code, places]) =>
  [code, mean(places.map((one) => one.latitude)), mean(places.map((one) => one.longitude))].join(
    ' ',
  ),
);
const wrong = lines.filter((line) => !/^\d{4} 4[5-8]\d{3} (?:[5-9]|10)\d{3}$/.test(line));
if (wrong.length > 0) throw new Error(`these are no places of Switzerland: ${wrong.join(', ')}`);

const head = [
  `# Swiss postal codes, made by scripts/postal-places.mjs of ${name} ${version}.`,
  '# Codes: Swiss Post, MIT, Copyright (c) 2015-2021 William Belle.',
  '# Coordinates: GeoNames (https://www.geonames.org), CC BY 3.0, rounded and averaged.',
];
const table = join(import.meta.dirname, '../renderer/lib/route/postal-places.txt');
writeFileSync(table, `${[...head, ...lines].join('\n')}\n`);
