import type { OwnRule, PostalRange } from '#shared/desk/cases/own-cases.ts';
import type { Database } from '../database/sqlite.ts';
import { sortKey } from './case-records.ts';

/** A condition over the table `cases` under the name c: the case is the user's own. */
export const ownCondition = 'EXISTS (SELECT 1 FROM temp.own_cases own WHERE own.id = c.id)';

/** The person of the office who handles the case; null if nobody does. */
export const handlerExpression = '(SELECT h.name FROM temp.handlers h WHERE h.case_id = c.id)';

/** The values that decide which cases are the user's own. */
export interface OwnDecision {
  readonly rule: OwnRule;
  readonly ranges: readonly PostalRange[];
  /** The marks by case id. A mark takes precedence over the rule. */
  readonly marks: ReadonlyMap<string, boolean>;
}

/** The user's own cases as a view, so that every list uses the same rule. */
export class OwnCases {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    db.exec(`
      CREATE TEMP TABLE own_marks (case_id TEXT PRIMARY KEY, own INTEGER NOT NULL);
      CREATE TEMP TABLE own_responsibles (key TEXT PRIMARY KEY);
      CREATE TEMP TABLE handlers (case_id TEXT PRIMARY KEY, name TEXT NOT NULL);
      CREATE TEMP VIEW own_cases AS SELECT id FROM main.cases;
    `);
  }

  decideBy({ rule, ranges, marks }: OwnDecision): void {
    const db = this.#db;
    const addMark = db.prepare<[string, number]>('INSERT INTO own_marks VALUES (?, ?)');
    const addKey = db.prepare<[string | null]>('INSERT OR IGNORE INTO own_responsibles VALUES (?)');
    db.transaction(() => {
      db.exec('DELETE FROM own_marks; DELETE FROM own_responsibles; DROP VIEW own_cases');
      for (const [caseId, own] of marks) addMark.run(caseId, Number(own));
      for (const name of rule.responsibles) addKey.run(sortKey(name));
      db.exec(`CREATE TEMP VIEW own_cases AS SELECT id FROM main.cases r WHERE
        coalesce((SELECT own FROM own_marks m WHERE m.case_id = r.id), ${ruleSql(rule, ranges)})`);
    })();
  }

  /** Sets which person handles which case. */
  handledBy(handlers: ReadonlyMap<string, string>): void {
    const add = this.#db.prepare<[string, string]>('INSERT INTO temp.handlers VALUES (?, ?)');
    this.#db.transaction(() => {
      this.#db.exec('DELETE FROM temp.handlers');
      for (const [caseId, name] of handlers) add.run(caseId, name);
    })();
  }

  /** The cases among the given ones that are the user's own. */
  of(caseIds: readonly string[]): Set<string> {
    const ids = this.#db
      .prepare<[string], string>(
        `SELECT c.id FROM json_each(?) wanted JOIN cases c ON c.id = wanted.value
         WHERE ${ownCondition}`,
      )
      .pluck();
    return new Set(ids.all(JSON.stringify(caseIds)));
  }

  counts(): { own: number; total: number } {
    const count = (sql: string) => this.#db.prepare<[], number>(sql).pluck().get() ?? 0;
    return {
      own: count('SELECT count(*) FROM temp.own_cases'),
      total: count('SELECT count(*) FROM cases'),
    };
  }

  /** The insurers' responsible persons, by name. */
  responsibles(): string[] {
    return this.#db
      .prepare<[], string>(
        `SELECT responsible_name FROM cases WHERE responsible_key IS NOT NULL
         GROUP BY responsible_key ORDER BY responsible_key LIMIT 1000`,
      )
      .pluck()
      .all();
  }
}

/**
 * The text of the statement contains only whole numbers and the documented words of the category.
 */
function ruleSql({ mode, categories, responsibles }: OwnRule, ranges: readonly PostalRange[]) {
  if (mode !== 'rule') return mode === 'all' ? '1' : '0';
  const kinds: string[] = [];
  if (ranges.length > 0) {
    const within = ranges.map(({ from, to }) => `r.postal_code BETWEEN '${from}' AND '${to}'`);
    kinds.push(`length(r.postal_code) = 4 AND (${within.join(' OR ')})`);
  }
  if (categories.length > 0) {
    kinds.push(`r.category IN (${categories.map((category) => `'${category}'`).join()})`);
  }
  if (responsibles.length > 0)
    kinds.push('r.responsible_key IN (SELECT key FROM own_responsibles)');
  return kinds.join(' AND ') || '0';
}
