import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentContentType } from '#shared/api/document.ts';
import type { ClaimDraft } from './draft.ts';
import type { Random } from './random.ts';
import type { World } from './worlds/world.ts';

export interface PracticeDocument {
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly bytes: Buffer;
  readonly isSalvageSale: boolean;
}

/** The folder is next to this file in the sources, and next to the bundle after a build. */
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
  world: World,
  draft: ClaimDraft,
  externalKey: string,
): Promise<PracticeDocument[]> {
  const { files } = world;
  const documents = [await pdf(world, `${files.damageReport}_${externalKey}`, 'damage-report')];
  const estimate = estimateOf(draft);
  if (estimate !== null && random.chance(0.85)) {
    documents.push(await pdf(world, `${files[estimate]}_${externalKey}`, estimate));
  }
  if (draft.category === 'fraud' && random.chance(0.6)) documents.push(noteOf(world));
  const subjects = photosOf(draft);
  for (let number = random.int(0, 2); subjects.length > 0 && number > 0; number -= 1) {
    documents.push(await photo(`${files.photo}_${number}`, random.pick(subjects)));
  }
  return documents.slice(0, 4);
}

/** An expert's documents: the report, often a photo, and the offers for a total loss. */
export async function reportDocuments(
  random: Random,
  world: World,
  draft: ClaimDraft,
  externalKey: string,
): Promise<PracticeDocument[]> {
  const { files } = world;
  const documents = [await pdf(world, `${files.report}_${externalKey}`, 'expert-report')];
  const subjects = photosOf(draft);
  if (subjects.length > 0 && random.chance(0.7)) {
    documents.push(await photo(`${files.inspection}_1`, random.pick(subjects)));
  }
  if (draft.totalLoss) {
    const offers = await pdf(world, `${files.salvage}_${externalKey}`, 'salvage-offers');
    documents.push({ ...offers, isSalvageSale: true });
  }
  return documents;
}

/**
 * A photo of the damage that the insurer adds later.
 * @param time as HHMMSS
 */
export function laterPhoto(
  random: Random,
  { files }: World,
  category: string,
  time: string,
): Promise<PracticeDocument> {
  const subjects = category === 'appraiser' ? ['house'] : ['car-1', 'car-2'];
  return photo(`${files.later}_${time}`, random.pick(subjects));
}

function estimateOf({ payload, category }: ClaimDraft): 'invoice' | 'estimate' | null {
  switch (payload['inspectionType']) {
    case 'invoice_review':
      return 'invoice';
    case 'workshop':
    case 'estimate_review':
      return 'estimate';
    default:
      return category === 'fraud' ? 'estimate' : null;
  }
}

/** The fixtures that show such a damage; none for rail vehicles and aircraft. */
function photosOf({ category, payload }: ClaimDraft): readonly string[] {
  if (category === 'appraiser') return ['house'];
  if (category !== 'special') return ['car-1', 'car-2'];
  return payload['machineCategory'] === 'land_machine' ? ['machine'] : [];
}

async function pdf(
  { folder: region }: World,
  name: string,
  from: string,
): Promise<PracticeDocument> {
  return {
    fileName: `${name}.pdf`,
    contentType: 'application/pdf',
    bytes: await fixture(join(region, `${from}.pdf`)),
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

const noteOf = ({ files, noteText }: World): PracticeDocument => ({
  fileName: `${files.note}.txt`,
  contentType: 'text/plain',
  bytes: Buffer.from(noteText),
  isSalvageSale: false,
});
