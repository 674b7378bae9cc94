import type { BatchCase, BatchMatch, IdentifierFound, IdentifierKind } from '#shared/desk/batch.ts';
import { foldText } from '#shared/lib/words.ts';

/** What a name can identify a case by. */
export interface KnownCase extends BatchCase {
  readonly policyNumber: string;
}

interface Hit {
  readonly kind: IdentifierKind;
  readonly identifier: string;
  readonly cases: readonly KnownCase[];
}

/** Identifiers of cases by their joined form. */
export type CaseIndex = ReadonlyMap<string, readonly Hit[]>;

/** A shorter identifier would be found in every second name. */
const minLength: Record<IdentifierKind, number> = {
  externalKey: 4,
  policyNumber: 5,
  licensePlate: 4,
};
/** Longer runs of pieces are no identifier. */
const piecesMax = 12;
const candidatesMax = 10;

const salvageWords = ['salvage', 'restwert', 'epave', 'recupero'];

/** Runs of letters and runs of digits. */
function piecesOf(text: string): string[] {
  return foldText(text).match(/\p{L}+|\p{N}+/gu) ?? [];
}

/** An identifier without its gaps: `ZH 123.456`, `zh-123456` and `ZH123456` are one plate. */
export function joinedForm(identifier: string): string {
  return piecesOf(identifier).join('');
}

export function createCaseIndex(cases: Iterable<KnownCase>): CaseIndex {
  const index = new Map<
    string,
    { kind: IdentifierKind; identifier: string; cases: KnownCase[] }[]
  >();
  for (const known of cases) {
    for (const kind of ['externalKey', 'policyNumber', 'licensePlate'] as const) {
      const joined = joinedForm(known[kind]);
      // Without a digit it could be any word.
      if (joined.length < minLength[kind] || !/\p{N}/u.test(joined)) continue;
      const hits = index.get(joined) ?? [];
      index.set(joined, hits);
      const hit = hits.find((candidate) => candidate.kind === kind);
      if (hit) hit.cases.push(known);
      else hits.push({ kind, identifier: known[kind], cases: [known] });
    }
  }
  return index;
}

/**
 * Identifiers in a name, each of whole pieces: `ZH 123456` is not in `ZH 1234567`. Of two that
 * overlap the longer counts.
 */
function hitsIn(name: string, index: CaseIndex): Hit[] {
  const pieces = piecesOf(name);
  const found: { from: number; to: number; hits: readonly Hit[] }[] = [];
  for (let from = 0; from < pieces.length; from += 1) {
    let joined = '';
    for (let to = from + 1; to <= Math.min(pieces.length, from + piecesMax); to += 1) {
      joined += pieces[to - 1] ?? '';
      const hits = index.get(joined);
      if (hits) found.push({ from, to, hits });
    }
  }
  const widest = found.filter(
    (one) =>
      !found.some(
        (other) =>
          other !== one &&
          other.from <= one.from &&
          other.to >= one.to &&
          other.to - other.from > one.to - one.from,
      ),
  );
  return widest.flatMap(({ hits }) => hits);
}

/** Whether a folder's or the file's name marks a salvage offer. */
export function isSalvageName(path: string): boolean {
  const words = foldText(path);
  return salvageWords.some((word) => words.includes(word));
}

function nameParts(path: string): { name: string; in: 'file' | 'folder' }[] {
  const parts = path.split('/');
  const file = parts.pop() ?? '';
  const stem = file.replace(/\.[^.]{1,5}$/, '');
  return [
    { name: stem, in: 'file' },
    ...parts.reverse().map((name) => ({ name, in: 'folder' as const })),
  ];
}

/**
 * The case of a file by its name and its folders. All identifiers must agree on one case. If
 * several cases fit and only one takes work (an old case of the same car next to the new one), it
 * is that one.
 * @param path relative, with slashes
 */
export function matchName(path: string, index: CaseIndex): BatchMatch {
  const found = nameParts(path).flatMap((part) =>
    hitsIn(part.name, index).map((hit) => ({ ...hit, in: part.in })),
  );
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

function foundView({
  kind,
  identifier,
  in: place,
}: Hit & { in: 'file' | 'folder' }): IdentifierFound {
  return { kind, identifier, in: place };
}
