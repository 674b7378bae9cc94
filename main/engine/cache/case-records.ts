import {
  digestFields,
  type DigestValues,
  sentFields,
  type SentValues,
  valuesOf,
} from '#shared/desk/cases/case-fields.ts';
import { isoTime } from '#shared/api/conventions.ts';
import { foldText, wordsOf } from '#shared/lib/words.ts';
import type { PayloadDigest } from '#shared/payload/digest.ts';
import { visibleText } from '#shared/lib/visible-text.ts';

/**
 * A case as a server returned it. Timestamps are as the server wrote them; amounts are in whole
 * Rappen.
 */
export interface CaseInput extends SentValues {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastChangedAt: string;
  readonly payloadJson: string;
  readonly insurer: {
    readonly name: string;
    readonly responsible: { readonly name: string; readonly email: string; readonly phone: string };
  };
}

/** The case with its texts as they may be shown. The payload is read by `parsePayload`. */
export function visibleInput(input: CaseInput): CaseInput {
  const { name, responsible } = input.insurer;
  const given = input as unknown as Readonly<Record<string, unknown>>;
  const texts = valuesOf(sentFields, ({ kind }, field) =>
    kind === 'text' ? visibleText(String(given[field])) : given[field],
  );
  return {
    ...input,
    ...texts,
    insurer: {
      name: visibleText(name),
      responsible: {
        name: visibleText(responsible.name),
        email: visibleText(responsible.email),
        phone: visibleText(responsible.phone),
      },
    },
  };
}

export type GoneReason = 'forbidden' | 'not_found';

/** The values of a case in the list, without the user's unsent work. */
export interface CaseRecord extends Omit<CaseInput, 'payloadJson'>, DigestValues {
  readonly goneReason: GoneReason | null;
  /** The number of documents; null until the list of documents was first read. */
  readonly documentCount: number | null;
  readonly documentsOnLaptop: number;
}

type Column = string | number | null;

/** The values of a table in the form of SQLite. */
function columnsOf(
  fields: Readonly<Record<string, { readonly column: string }>>,
  values: object,
): Record<string, Column> {
  const given = values as Readonly<Record<string, Column | boolean>>;
  const entries = Object.entries(fields).map(([name, { column }]): [string, Column] => {
    const value = given[name] ?? null;
    return [column, typeof value === 'boolean' ? Number(value) : value];
  });
  return Object.fromEntries(entries);
}

/**
 * A moment in UTC with milliseconds, so that texts are in the order of their moments. The server
 * may write moments of any zone; one without a zone is UTC.
 */
function inUtc(moment: string): string {
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(moment);
  const ms = Date.parse(hasZone ? moment : `${moment}Z`);
  return Number.isNaN(ms) ? moment : isoTime(ms);
}

/** The columns of `cases` that the server's answer fills. */
export function sentColumns(input: CaseInput) {
  const { name, responsible } = input.insurer;
  return {
    ...columnsOf(sentFields, input),
    created_at: inUtc(input.createdAt),
    updated_at: input.updatedAt,
    last_changed_at: input.lastChangedAt,
    insurer_name: name,
    responsible_name: responsible.name,
    responsible_email: responsible.email,
    responsible_phone: responsible.phone,
  };
}

/** The columns of `cases` with values of the payload. */
export const digestColumns = (digest: PayloadDigest) => columnsOf(digestFields, digest);

/** The fields of a payload that are sorted as texts, with the column of each. */
export const sortKeys = Object.entries(digestFields).flatMap(([name, field]) =>
  'sortKey' in field ? [[name as keyof DigestValues, field.sortKey] as const] : [],
);

/** The columns of `cases` by which texts are sorted. */
export function keyColumns({ insurer }: CaseInput, digest: PayloadDigest): Record<string, Column> {
  return {
    ...Object.fromEntries(sortKeys.map(([name, key]) => [key, sortKey(digest[name] ?? '')])),
    insurer_key: sortKey(insurer.name),
    responsible_key: sortKey(insurer.responsible.name),
  };
}

/**
 * The length of a sort key. Cases whose texts differ only after it are in the order of their last
 * change.
 */
const keyMaxLength = 60;

/**
 * The sort key has no accents and no case: `Élodie` is next to `Eliane` and not after `Zoé` (DIN
 * 5007-1).
 */
export function sortKey(text: string): string | null {
  const folded = foldText(text.trim().slice(0, 4 * keyMaxLength)).trim();
  return folded === '' ? null : folded.slice(0, keyMaxLength);
}

/** A row of `cases` as the list reads it, with the number of its documents. */
export type CaseRow = ReturnType<typeof sentColumns> & {
  readonly id: string;
  readonly gone_reason: GoneReason | null;
  readonly documents_listed_at: string | null;
  readonly document_count: number;
  readonly documents_on_laptop: number;
};

/** A field of a row. Flags become booleans again. */
export function valueIn(row: Readonly<Record<string, Column>>, field: ReadField): Column | boolean {
  const value = row[field.column] ?? null;
  return field.kind === 'flag' ? value === 1 : value;
}
type ReadField = Readonly<{ column: string; kind: string }>;

export function recordOf(row: CaseRow): CaseRecord {
  return {
    ...valuesOf(sentFields, (field) => valueIn(row, field)),
    ...valuesOf(digestFields, (field) => valueIn(row, field)),
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastChangedAt: row.last_changed_at,
    insurer: {
      name: row.insurer_name,
      responsible: {
        name: row.responsible_name,
        email: row.responsible_email,
        phone: row.responsible_phone,
      },
    },
    goneReason: row.gone_reason,
    documentCount: row.documents_listed_at === null ? null : row.document_count,
    documentsOnLaptop: row.documents_on_laptop,
  };
}

/** The text of a case in `case_search`. */
export function searchText(input: CaseInput, digest: PayloadDigest): string {
  return [
    input.externalKey,
    joinedForms(input.externalKey, digest.licensePlate, digest.policyNumber),
    input.insurer.name,
    input.insurer.responsible.name,
    input.expertComment,
    digest.searchText,
  ].join(' ');
}

/**
 * Identifiers without their gaps, so that `ZH 123 456`, `ZH123456` and `zh-123456` find the same
 * car.
 */
function joinedForms(...identifiers: readonly string[]): string {
  return identifiers.map((identifier) => wordsOf(identifier).join('')).join(' ');
}
