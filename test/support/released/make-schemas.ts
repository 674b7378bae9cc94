import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSteps } from '#main/front/store/store.ts';
import { gatewayMigrations } from '#main/gateway/schema.ts';
import { storeMigrations } from '#main/service/store/schema.ts';
import packageJson from '../../../package.json' with { type: 'json' };

/*
 * `node scripts/run.mjs test/support/released/make-schemas.ts` runs when a version is released, and
 * for 0.1.0 after each change of its steps until then. It writes the statements that created the
 * stores of its servers, for both databases.
 */

for (const [store, migrations] of [
  ['service', storeMigrations],
  ['gateway', gatewayMigrations],
] as const) {
  for (const database of ['sqlite', 'postgres'] as const) {
    const steps = await compileSteps(database === 'postgres', migrations);
    const name = `${store}-${packageJson.version}.${database}.json`;
    writeFileSync(join(import.meta.dirname, name), `${JSON.stringify(steps, null, 2)}\n`);
  }
}
