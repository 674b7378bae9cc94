import { toNormalForm } from '#shared/lib/normal-form.ts';
import type {
  BatchCase,
  BatchMatch,
  IdentifierFound,
  IdentifierKind,
} from '#shared/desk/reports/batch.ts';
import { foldText } from '#shared/lib/words.ts';

/** A case with the identifiers that a file's name may contain. */
export interface KnownCase extends BatchCase {
  readonly policyNumber: string;
}

interface Hit {
  readonly kind: IdentifierKind;
  readonly identifier: string;
  readonly cases: readonly KnownCase[];
}

export interface CaseIndex {
  /** Identifiers of cases by their joined form. */
  readonly identifiers: ReadonlyMap<string, readonly Hit[]>;
  /** The shapes of claim numbers on this device: their letters, and a sign for each digit. */
  readonly keyShapes: ReadonlySet<string>;
}

/** The least length of an identifier. Shorter ones would occur in too many names by chance. */
const minLength: Record<IdentifierKind, number> = {
  externalKey: 4,
  policyNumber: 5,
  licensePlate: 4,
};
/** The most pieces of an identifier. */
const piecesMax = 12;
const candidatesMax = 10;

const salvageWords = ['salvage', 'restwert', 'epave', 'recupero'];

const pieces = /\p{L}+|\p{N}+/gu;

/** Splits a text into runs of letters and runs of digits. */
function piecesOf(text: string): string[] {
  return foldText(text).match(pieces) ?? [];
}

/** An identifier without its gaps: `ZH 123.456`, `zh-123456` and `ZH123456` are the same plate. */
export function joinedForm(identifier: string): string {
  return piecesOf(identifier).join('');
}

const shapeOf = (joined: string) => joined.replaceAll(/\p{N}/gu, '#');

export function createCaseIndex(cases: Iterable<KnownCase>): CaseIndex {
  const index = new Map<
    string,
    { kind: IdentifierKind; identifier: string; cases: KnownCase[] }[]
  >();
  const keyShapes = new Set<string>();
  for (const known of cases) {
    for (const kind of ['externalKey', 'policyNumber', 'licensePlate'] as const) {
      const joined = joinedForm(known[kind]);
      // An identifier without a digit could be any word.
      if (joined.length < minLength[kind] || !/\p{N}/u.test(joined)) continue;
      // Digits alone could be a date, or the number of a photo.
      if (kind === 'externalKey' && /\p{L}/u.test(joined)) keyShapes.add(shapeOf(joined));
      const hits = index.get(joined) ?? [];
      index.set(joined, hits);
      const hit = hits.find((candidate) => candidate.kind === kind);
      if (hit) hit.cases.push(known);
      else hits.push({ kind, identifier: known[kind], cases: [known] });
    }
  }
  return { identifiers: index, keyShapes };
}

interface NameRun {
  readonly from: number;
  readonly to: number;
  /** The text as the name spells it. */
  readonly text: string;
  /**
   * The cases with this identifier. If it is empty, the text looks like a claim number that no case
   * here has.
   */
  readonly hits: readonly Hit[];
}

/**
 * The identifiers in a name. Each consists of whole pieces: `ZH 123456` is not in `ZH 1234567`. If
 * two overlap, the longer one counts.
 */
function runsIn(name: string, { identifiers, keyShapes }: CaseIndex): NameRun[] {
  const found: NameRun[] = [];
  const parts = [...name.matchAll(pieces)];
  for (const [from, { index: start }] of parts.entries()) {
    let joined = '';
    for (const [offset, part] of parts.slice(from, from + piecesMax).entries()) {
      joined += foldText(part[0]);
      const hits = identifiers.get(joined) ?? [];
      if (hits.length === 0 && !keyShapes.has(shapeOf(joined))) continue;
      const text = name.slice(start, part.index + part[0].length);
      found.push({ from, to: from + offset + 1, text, hits });
    }
  }
  return found.filter(
    (one) =>
      !found.some(
        (other) =>
          other !== one &&
          other.from <= one.from &&
          other.to >= one.to &&
          other.to - other.from > one.to - one.from,
      ),
  );
}

/** Whether a folder's or the file's name marks a salvage offer. */
export function isSalvageName(path: string): boolean {
  const words = foldText(path);
  return salvageWords.some((word) => words.includes(word));
}

interface Named {
  readonly name: string;
  readonly in: IdentifierFound['in'];
}

function nameParts(path: string): Named[] {
  const parts = path.split('/');
  const file = parts.pop() ?? '';
  const stem = file.replace(/\.[^.]{1,5}$/, '');
  return [
    { name: stem, in: 'file' },
    ...parts.reverse().map((name) => ({ name, in: 'folder' as const })),
  ];
}

/**
 * The case of a file by its name and its folders. All identifiers must lead to one case. If several
 * cases match and only one takes work (an old case of the same car next to a new one), it is that
 * one. A claim number that no case here has is reported.
 * @param path relative, with slashes
 */
export const matchName = (path: string, index: CaseIndex): BatchMatch =>
  matchParts(path, nameParts(path), index);

/** The case of a mail by its subject, by the same rule. */
export const matchSubject = (path: string, subject: string, index: CaseIndex): BatchMatch =>
  matchParts(path, [{ name: subject, in: 'subject' }], index);

/**
 * The case of a file that a mail carries: that of the mail, unless the file's own name has an
 * identifier.
 */
export function matchInner(own: BatchMatch, mail: BatchMatch): BatchMatch {
  const { path, isSalvageSale } = own;
  return isMatchedByItsName(own) ? own : { ...mail, path, isSalvageSale };
}

export const isMatchedByItsName = ({ matchedBy }: BatchMatch): boolean =>
  matchedBy.some(({ in: place }) => place === 'file');

/** The mail that carries a file: its path stands before the file's name, as a folder's would. */
export const mailPathOf = (path: string): string | null =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null;

function matchParts(path: string, parts: readonly Named[], index: CaseIndex): BatchMatch {
  const runs = parts.flatMap((part) =>
    runsIn(toNormalForm(part.name, 'NFC'), index).map((run) => ({ ...run, in: part.in })),
  );
  const found = runs.flatMap(({ hits, in: place }) => hits.map((hit) => ({ ...hit, in: place })));
  const strangers = runs
    .filter(({ hits }) => hits.length === 0)
    .map(({ text, in: place }) => ({ kind: 'externalKey' as const, identifier: text, in: place }));
  const isSalvageSale = isSalvageName(path);
  const unmatched = (refusal: BatchMatch['refusal'], cases: Iterable<KnownCase>): BatchMatch => {
    const choices = [...new Set(cases)].slice(0, candidatesMax).map(caseView);
    return {
      path,
      caseId: null,
      externalKey: null,
      case: null,
      confidence: null,
      matchedBy: found.map(foundView),
      isSalvageSale,
      refusal,
      candidates: choices.map(({ externalKey }) => externalKey),
      choices,
    };
  };
  // A licence plate alone is not enough, because the claim number may belong to another claim of
  // the same car.
  if (strangers.length > 0 && !found.some(({ kind }) => kind === 'externalKey')) {
    const others = new Set(found.flatMap(({ cases }) => cases));
    return { ...unmatched('unknown_case', others), matchedBy: strangers };
  }
  const [first, ...others] = found;
  if (!first) return unmatched('nothing_recognized', []);
  const all = new Set(found.flatMap(({ cases }) => cases));
  const left = first.cases.filter((known) => others.every(({ cases }) => cases.includes(known)));
  if (left.length === 0) return unmatched('names_disagree', all);
  const open = left.filter(({ problem }) => problem === null);
  const [match] = left.length === 1 ? left : open;
  if (!match || (left.length > 1 && open.length > 1)) return unmatched('several_cases', left);
  const kinds = new Set(found.map(({ kind }) => kind));
  const isCertain = left.length === 1 && (kinds.has('externalKey') || kinds.size > 1);
  return {
    path,
    caseId: match.id,
    externalKey: match.externalKey,
    case: caseView(match),
    confidence: isCertain ? 'certain' : 'likely',
    matchedBy: found.map(foundView),
    isSalvageSale,
    refusal: null,
    candidates: [],
    choices: [],
  };
}

function caseView({ policyNumber: _, ...known }: KnownCase): BatchCase {
  return known;
}

function foundView({ kind, identifier, in: place }: Hit & Pick<Named, 'in'>): IdentifierFound {
  return { kind, identifier, in: place };
}
