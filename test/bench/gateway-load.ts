import { join } from 'node:path';
import { runGatewayLoad, type Load } from '../support/gateway-load.ts';
import { temporaryFolder } from '../support/processes.ts';
import { printFigure, quantile } from './figures.ts';

/** Waits of laptops at the gateway, in simulated time, against the round in which each has a turn. */
const loads: readonly Load[] = [
  { scenario: 'documents', laptops: 30, each: 3, cases: 30 },
  { scenario: 'whole-list', laptops: 6, cases: 10_000 },
  { scenario: 'unsure-case', laptops: 6, cases: 100 },
];

const folder = temporaryFolder();
try {
  for (const load of loads) {
    const { scenario, laptops } = load;
    const run = await runGatewayLoad(join(folder.path, scenario), load);
    const waits = run.waits.map(({ realMs }) => realMs);
    const announced = run.waits.filter(({ toldMs }) => toldMs > 0);
    const wrong = announced.map(({ toldMs, realMs }) => Math.abs(realMs - toldMs) / realMs);
    const figures: [what: string, ms: number, limit: number][] = [
      ['wait, p50', quantile(waits, 0.5), 1],
      ['wait, p95', quantile(waits, 0.95), 1.5],
      ['wait, longest', Math.max(...waits), 2],
      ['the first laptop is done after', run.firstDoneMs, Infinity],
      ['the last one', run.lastDoneMs, Infinity],
    ];
    const name = `gateway, ${scenario}, ${String(laptops)} laptops`;
    for (const [what, ms, limit] of figures) {
      const [figure, ratio] = [ms / 1000, ms / run.roundMs];
      printFigure({ what: `${name}: ${what}`, figure, unit: 's', limit, ratio });
    }
    if (wrong.length > 0) {
      const figure = quantile(wrong, 0.95) * 100;
      printFigure({ what: `${name}: announced wrong by, p95`, figure, unit: '%', limit: 25 });
    }
    printFigure({
      what: `${name}: answers 429 of the partner`,
      figure: run.throttled,
      unit: 'answers',
      limit: 0,
    });
  }
} finally {
  folder.remove();
}
