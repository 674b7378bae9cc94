import type { DocumentContentType } from '#shared/api/content-types.ts';
import type { ClaimDraft } from './draft.ts';
import {
  costEstimate,
  damageReport,
  expertReport,
  salvageOffer,
  type PaperFacts,
} from './papers.ts';
import type { createPhotoPool, PhotoSubject } from './photo.ts';
import type { Random } from './random.ts';

export interface PracticeDocument {
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly bytes: Buffer;
  readonly isSalvageSale: boolean;
}

type PhotoPool = ReturnType<typeof createPhotoPool>;

/** What the insurer puts beside the payload: one to four files. */
export async function claimDocuments(
  random: Random,
  facts: PaperFacts,
  photos: PhotoPool,
): Promise<PracticeDocument[]> {
  const { draft, externalKey } = facts;
  const documents = [pdf(`Schadenanzeige_${externalKey}.pdf`, await damageReport(facts))];
  const paper = estimateTitle(draft);
  if (paper !== null && random.chance(0.85)) {
    documents.push(pdf(`${paper}_${externalKey}.pdf`, await costEstimate(facts, paper)));
  }
  if (draft.category === 'fraud' && random.chance(0.6)) documents.push(note(facts));
  const subject = subjectOf(draft);
  for (let number = random.int(0, 2); subject !== null && number > 0; number -= 1) {
    documents.push(photo(random, facts, photos, subject, `Foto_${number}.jpg`));
  }
  return documents.slice(0, 4);
}

/** What an expert hands in: the report, mostly a photograph, and offers for a total loss. */
export async function reportDocuments(
  random: Random,
  facts: PaperFacts,
  sums: { readonly estimateRappen: number; readonly approvedRappen: number },
  photos: PhotoPool,
): Promise<PracticeDocument[]> {
  const { draft, externalKey } = facts;
  const documents = [pdf(`Gutachten_${externalKey}.pdf`, await expertReport(facts, sums))];
  const subject = subjectOf(draft);
  if (subject !== null && random.chance(0.7)) {
    documents.push(photo(random, facts, photos, subject, 'Besichtigung_1.jpg'));
  }
  if (draft.totalLoss) {
    const best = Math.round(draft.estimateRappen / 8 / 5000) * 5000;
    const offers = await salvageOffer(facts, [best, best - 30_000, best - 45_000]);
    documents.push({ ...pdf(`Restwert_${externalKey}.pdf`, offers), isSalvageSale: true });
  }
  return documents;
}

function estimateTitle({ payload, category }: ClaimDraft): string | null {
  switch (payload['inspectionType']) {
    case 'invoice_review':
      return 'Rechnung';
    case 'workshop':
    case 'estimate_review':
      return 'Kostenvoranschlag';
    default:
      return category === 'fraud' ? 'Kostenvoranschlag' : null;
  }
}

function pdf(fileName: string, bytes: Uint8Array): PracticeDocument {
  return {
    fileName,
    contentType: 'application/pdf',
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    isSalvageSale: false,
  };
}

function photo(
  random: Random,
  { externalKey, madeAt }: PaperFacts,
  photos: PhotoPool,
  subject: PhotoSubject,
  fileName: string,
): PracticeDocument {
  return {
    fileName,
    contentType: 'image/jpeg',
    bytes: photos(subject, random.int(0, 99), `${externalKey} ${madeAt} ${fileName}`),
    isSalvageSale: false,
  };
}

/** What there is to photograph; null for rail vehicles and aircraft, which nobody paints here. */
function subjectOf({ category, payload }: ClaimDraft): PhotoSubject | null {
  if (category === 'appraiser') return 'house';
  if (category !== 'special') return 'car';
  return payload['machineCategory'] === 'land_machine' ? 'machine' : null;
}

function note({ draft, externalKey }: PaperFacts): PracticeDocument {
  const text = [
    `Telefonnotiz ${externalKey}`,
    '',
    `${draft.partyName} schildert den Hergang am Telefon anders als in der Schadenanzeige:`,
    'Die Mitfahrenden seien erst nach dem Ereignis eingestiegen.',
    '',
  ].join('\n');
  return {
    fileName: 'Telefonnotiz.txt',
    contentType: 'text/plain',
    bytes: Buffer.from(text),
    isSalvageSale: false,
  };
}
