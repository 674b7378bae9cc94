import type { BatchCase, BatchItem, BatchMatch } from '#shared/desk/reports/batch.ts';
import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';

/** The known properties of a file's bytes. */
export interface JudgedContent {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** The file is a PDF that opens with a password only. */
  readonly isProtected: boolean;
  readonly looksDamaged: boolean;
  readonly hidesAnswers: boolean;
}

/** The known properties of a file when it is judged. */
export interface JudgedFile {
  readonly path: string;
  readonly match: BatchMatch;
  /** The case that the user sees, by the file's name or as corrected. */
  readonly caseId: string | null;
  readonly isSalvageSale: boolean;
  /** The reason why the bytes were refused. */
  readonly problem: DeskProblem | null;
  /** The content; null until the bytes have arrived. */
  readonly content: JudgedContent | null;
  /** The file is sent although the case already has it. */
  readonly sendsAgain: boolean;
  /** The report of this batch that contains the file. */
  readonly reported: Place | null;
}

type Place = Pick<BatchItem, 'draftId' | 'queueId' | 'queueState'>;

export interface Surroundings {
  caseOf: (caseId: string) => BatchCase | null;
  /** The place where the case already has this content. */
  placeOf: (caseId: string, sha256: string) => Place | null;
}

const nowhere: Place = { draftId: null, queueId: null, queueState: null };

/**
 * The outcome of each file, by the one rule of the window and the command line. If a file of a case
 * is refused or missing, no file of the case is sent.
 */
export function judgeFiles(files: readonly JudgedFile[], around: Surroundings): BatchItem[] {
  const seen = new Set<string>();
  const judged = files.map((file) => {
    const item = judge(file, around, seen);
    if (item.outcome === 'ready') seen.add(contentKey(item));
    return item;
  });
  const blocked = new Set(
    judged
      .filter(({ outcome }) => outcome === 'refused' || outcome === 'missing')
      .map(({ caseId }) => caseId),
  );
  return judged.map((item) =>
    item.outcome === 'ready' && blocked.has(item.caseId) ? { ...item, outcome: 'kept_back' } : item,
  );
}

const contentKey = ({ caseId, sha256 }: Pick<BatchItem, 'caseId' | 'sha256'>) =>
  `${caseId ?? ''} ${sha256 ?? ''}`;

function judge(file: JudgedFile, around: Surroundings, seen: ReadonlySet<string>): BatchItem {
  const { match, caseId, content, reported, isSalvageSale } = file;
  const target = caseId === null ? null : around.caseOf(caseId);
  // A case that was removed from this laptop takes no files.
  const isLost = caseId !== null && target === null;
  const lost = new DeskError('case_not_found', { id: match.externalKey ?? '' }).problem;
  const problems = [file.problem, target?.problem ?? (isLost ? lost : null)].filter(
    (problem) => problem !== null,
  );
  const item = {
    ...match,
    ...nowhere,
    isSalvageSale,
    caseId,
    externalKey: target?.externalKey ?? (caseId === null ? null : match.externalKey),
    case: target,
    sizeBytes: content?.sizeBytes ?? null,
    sha256: content?.sha256 ?? null,
    isProtected: content?.isProtected ?? false,
    looksDamaged: content?.looksDamaged ?? false,
    hidesAnswers: content?.hidesAnswers ?? false,
    problem: problems[0] ?? null,
    problems,
  };
  if (reported) return { ...item, ...reported, problem: null, problems: [], outcome: 'added' };
  if (caseId === null) return { ...item, outcome: 'unmatched' };
  if (content) {
    const place = around.placeOf(caseId, content.sha256);
    if (place && !file.sendsAgain) {
      return { ...item, ...place, problem: null, problems: [], outcome: 'known' };
    }
  }
  if (problems.length > 0) return { ...item, outcome: 'refused' };
  if (!content) return { ...item, outcome: 'missing' };
  return { ...item, outcome: seen.has(contentKey(item)) ? 'duplicate' : 'ready' };
}
