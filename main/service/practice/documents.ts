import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentContentType } from '#shared/api/document.ts';
import type { ClaimDraft } from './draft.ts';
import type { Random } from './random.ts';

export interface PracticeDocument {
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly bytes: Buffer;
  readonly isSalvageSale: boolean;
}

/** Next to this file in the sources, and next to the bundle after a build. */
const folder = join(import.meta.dirname, 'fixtures');
const read = new Map<string, Promise<Buffer>>();

/** The bytes of a fixture, read once. */
function fixture(name: string): Promise<Buffer> {
  const bytes = read.get(name) ?? readFile(join(folder, name));
  read.set(name, bytes);
  return bytes;
}

/** The insurer's documents of a claim: one to four. */
export async function claimDocuments(
  random: Random,
  draft: ClaimDraft,
  externalKey: string,
): Promise<PracticeDocument[]> {
  const documents = [await pdf(`Schadenanzeige_${externalKey}`, 'damage-report')];
  const estimate = estimateOf(draft);
  if (estimate !== null && random.chance(0.85)) {
    documents.push(await pdf(`${estimate.title}_${externalKey}`, estimate.fixture));
  }
  if (draft.category === 'fraud' && random.chance(0.6)) documents.push(note);
  const subjects = photosOf(draft);
  for (let number = random.int(0, 2); subjects.length > 0 && number > 0; number -= 1) {
    documents.push(await photo(`Foto_${number}`, random.pick(subjects)));
  }
  return documents.slice(0, 4);
}

/** An expert's documents: the report, often a photo, and the offers for a total loss. */
export async function reportDocuments(
  random: Random,
  draft: ClaimDraft,
  externalKey: string,
): Promise<PracticeDocument[]> {
  const documents = [await pdf(`Gutachten_${externalKey}`, 'expert-report')];
  const subjects = photosOf(draft);
  if (subjects.length > 0 && random.chance(0.7)) {
    documents.push(await photo('Besichtigung_1', random.pick(subjects)));
  }
  if (draft.totalLoss) {
    const offers = await pdf(`Restwert_${externalKey}`, 'salvage-offers');
    documents.push({ ...offers, isSalvageSale: true });
  }
  return documents;
}

/** A photo of the damage that the insurer adds later. */
export function laterPhoto(random: Random, category: string): Promise<PracticeDocument> {
  return photo('Nachtrag', random.pick(category === 'appraiser' ? ['house'] : ['car-1', 'car-2']));
}

function estimateOf({ payload, category }: ClaimDraft) {
  switch (payload['inspectionType']) {
    case 'invoice_review':
      return { title: 'Rechnung', fixture: 'invoice' };
    case 'workshop':
    case 'estimate_review':
      return { title: 'Kostenvoranschlag', fixture: 'estimate' };
    default:
      return category === 'fraud' ? { title: 'Kostenvoranschlag', fixture: 'estimate' } : null;
  }
}

/** Fixtures of such a damage; none for rail vehicles and aircraft. */
function photosOf({ category, payload }: ClaimDraft): readonly string[] {
  if (category === 'appraiser') return ['house'];
  if (category !== 'special') return ['car-1', 'car-2'];
  return payload['machineCategory'] === 'land_machine' ? ['machine'] : [];
}

async function pdf(name: string, from: string): Promise<PracticeDocument> {
  return {
    fileName: `${name}.pdf`,
    contentType: 'application/pdf',
    bytes: await fixture(`${from}.pdf`),
    isSalvageSale: false,
  };
}

async function photo(name: string, from: string): Promise<PracticeDocument> {
  return {
    fileName: `${name}.jpg`,
    contentType: 'image/jpeg',
    bytes: await fixture(`${from}.jpg`),
    isSalvageSale: false,
  };
}

const note: PracticeDocument = {
  fileName: 'Telefonnotiz.txt',
  contentType: 'text/plain',
  bytes: Buffer.from(`Telefonnotiz

Die versicherte Person schildert den Hergang am Telefon anders als in der Schadenanzeige:
Die Mitfahrenden seien erst nach dem Ereignis eingestiegen.
`),
  isSalvageSale: false,
};
