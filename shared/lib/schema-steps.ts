/**
 * A step of a store's schema, and of the rows in it: nothing but statements, so that it does the
 * same in every version and at any time. A step that may be in a store never changes; what is new
 * is a step behind the last one.
 */
export interface SchemaStep {
  readonly name: string;
  readonly statements: string;
}

/** A store that this version must not touch. `changed`: a trial version made it, with other steps. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
  readonly reason: 'newer' | 'changed';
  readonly found: number;
  readonly known: number;

  constructor(reason: 'newer' | 'changed', found: number, known: number) {
    super(`the store is ${reason}: it has ${String(found)} steps, known are ${String(known)}`);
    this.reason = reason;
    this.found = found;
    this.known = known;
  }
}

/** Comments and the space between words do not count. */
export function plainSql(sql: string): string {
  return sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();
}

/**
 * The steps that a store lacks.
 * @param applied what the store has recorded, in its order
 * @throws {SchemaMismatch}
 */
export function missingSteps(
  applied: readonly SchemaStep[],
  steps: readonly SchemaStep[],
): readonly SchemaStep[] {
  const isSame = steps
    .slice(0, applied.length)
    .every(
      ({ statements }, at) => plainSql(statements) === plainSql(applied[at]?.statements ?? ''),
    );
  if (!isSame) throw new SchemaMismatch('changed', applied.length, steps.length);
  if (applied.length > steps.length) {
    throw new SchemaMismatch('newer', applied.length, steps.length);
  }
  return steps.slice(applied.length);
}
