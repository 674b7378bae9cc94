import { z } from 'zod';
import { parseJson } from './parse-json.ts';

/**
 * A step of a store's schema and of the rows in it. It consists only of statements, so that it
 * always does the same in every version. A released step never changes; a change is a new step at
 * the end.
 */
export interface SchemaStep {
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Thrown for a store that this version must not change. `newer`: a later version created it.
 * `unknown`: no released version created it.
 */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
  readonly reason: 'newer' | 'unknown';
  readonly found: number;
  readonly known: number;

  constructor(reason: SchemaMismatch['reason'], found: number, known: number) {
    super(`the store is ${reason}: it has ${String(found)} steps, known are ${String(known)}`);
    this.reason = reason;
    this.found = found;
    this.known = known;
  }
}

/** The table in which a store records its steps. */
export const stepsTable = 'schema_steps';

/** A statement for the store's driver. If the statement is a query, the driver returns its rows. */
export interface Command {
  readonly sql: string;
  readonly isQuery: boolean;
}

const recordSchema = z.array(z.object({ name: z.string(), statements: z.string() }));

/**
 * Migrates any store: runs and records the steps that the store lacks. The driver executes the
 * commands in one transaction, and rolls them back if this function throws. A driver may be
 * synchronous or not.
 * @throws {SchemaMismatch} if this version must not change the store
 */
export function* migration(
  steps: readonly SchemaStep[],
): Generator<Command, void, readonly unknown[]> {
  yield statement(`CREATE TABLE IF NOT EXISTS ${stepsTable} (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, statements TEXT NOT NULL)`);
  const recorded = yield {
    sql: `SELECT name, statements FROM ${stepsTable} ORDER BY number`,
    isQuery: true,
  };
  const applied = recordSchema.parse(recorded);
  for (const step of missingSteps(applied, steps)) {
    yield* step.statements.map(statement);
    const values = [step.name, recordOf(step)].map(literal);
    yield statement(`INSERT INTO ${stepsTable} (number, name, statements)
      VALUES (${String(steps.indexOf(step) + 1)}, ${values.join(', ')})`);
  }
}

const statement = (sql: string): Command => ({ sql, isQuery: false });
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

const recordOf = ({ statements }: SchemaStep) => JSON.stringify(statements);

const statementsSchema = z.array(z.string()).nullable();

/** Whether a record belongs to a step. Comments and white space do not count. */
function isRecordOf(record: string | undefined, step: SchemaStep): boolean {
  const recorded = statementsSchema.catch(null).parse(parseJson(record ?? ''));
  return recorded !== null && plainSql(recorded) === plainSql(step.statements);
}

const plainSql = (statements: readonly string[]) =>
  statements.map((sql) => sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()).join(';');

function missingSteps(
  applied: z.infer<typeof recordSchema>,
  steps: readonly SchemaStep[],
): readonly SchemaStep[] {
  const isSame = steps
    .slice(0, applied.length)
    .every((step, at) => isRecordOf(applied[at]?.statements, step));
  if (!isSame) throw new SchemaMismatch('unknown', applied.length, steps.length);
  if (applied.length > steps.length) {
    throw new SchemaMismatch('newer', applied.length, steps.length);
  }
  return steps.slice(applied.length);
}
