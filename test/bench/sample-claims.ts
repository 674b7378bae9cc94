import { caseStatuses, categories } from '#shared/api/case-words.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { caseAnswer, pageAnswer } from '#main/partner/answers/answers.ts';
import { createSeededRandom } from '../main/engine/support/seeded-random.ts';

const syllables = 'ba ber dor fen gar hol kan lim mos ner pol ran sel tur vor wan zim'.split(' ');
const names = 'Müller Zürcher Ammann Favre Brunner Keller Meier Huber Rossi Schmid'.split(' ');
const cities = 'Zürich Winterthur Rüti Genève Lugano Bern Basel Chur Sion Thun'.split(' ');
const makes = ['Fendt', 'Škoda', 'Volvo', 'Renault', 'Toyota'];
const inspectionTypes = ['estimate_review', 'workshop'];

/** Makes payloads of the category special that are all different; the same ones for a seed. */
export function createPayloads(seed: number): (number: number, bytes: number) => string {
  const random = createSeededRandom(seed);
  const below = (count: number) => Math.floor(random.fraction() * count);
  const pick = (from: readonly string[]) => from[below(from.length)] ?? '';
  const syllable = (number: number) => syllables[number % syllables.length] ?? '';
  // Few words are common and most are rare, as in a language.
  const word = () => {
    const rank = Math.floor(syllables.length ** 3 * random.fraction() ** 4);
    return syllable(rank) + syllable(Math.floor(rank / 17)) + syllable(Math.floor(rank / 289));
  };
  return (number, bytes) => {
    const payload = {
      policyNumber: `P-${100_000 + number}`,
      claimInsurance: 'comprehensive',
      claimType: 'collision',
      machineCategory: 'land_machine',
      machineType: 'tractor',
      insured: {
        name: `${pick(names)} ${word()}`,
        phone: '+41 44 555 12 34',
        address: 'Bahnhofstrasse 1',
        postalCode: '8001',
        city: pick(cities),
        carMake: pick(makes),
        licensePlate: `ZH ${100_000 + number}`,
      },
      location: { address: 'Feldweg 2', postalCode: '8400', city: pick(cities) },
      incidentDate: '2026-01-15',
      damageDescription: '',
      estimatedAmount: 12500.5,
      estimatedCurrency: 'CHF',
      inspectionType: pick(inspectionTypes),
      inspectionDate: '2099-02-10',
      workshop: {
        name: 'Garage Meier',
        phone: '+41 52 555 11 22',
        address: 'Werkstrasse 3',
        postalCode: '8400',
        city: 'Winterthur',
      },
    };
    const left = bytes - Buffer.byteLength(JSON.stringify(payload));
    let text = '';
    while (text.length < left) text += `${word()} `;
    payload.damageDescription = text
      .slice(0, left - 1)
      .trimEnd()
      .padEnd(left, '.');
    return JSON.stringify(payload);
  };
}

const caseBytes = 4096;

/** Which case comes at a place, and when it changed. */
export function caseInPlace(number: number): { Id: string; LastChangedAt: string } {
  return {
    Id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    LastChangedAt: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(),
  };
}

/** A case of 4 KB as X1 answers with it; over all categories and states, the newest last. */
function answeredCase(
  number: number,
  payloadOf: (number: number, bytes: number) => string,
): Record<string, unknown> {
  const { Id, LastChangedAt: at } = caseInPlace(number);
  return {
    Id,
    ExternalKey: `SF-2026-${String(number).padStart(6, '0')}`,
    Category: categories[number % categories.length],
    Status: caseStatuses[(number >> 2) % caseStatuses.length],
    CreatedAt: at,
    UpdatedAt: at,
    LastChangedAt: at,
    ExpertComment: '',
    PayloadJson: payloadOf(number, caseBytes),
    ArchiveState: false,
    HailDriveInAccepted: false,
    Insurer: {
      Name: 'Muster AG',
      Responsible: { Name: 'Anna', Email: 'anna@muster.example', Phone: '+41 44 555 00 00' },
    },
    CostEstimateAmount: null,
    ApprovedAmount: null,
  };
}

const pageSize = 200;
const casePage = pageAnswer(caseAnswer);

/** Stores this number of cases as a pull does: a page of X1's answer at a time. */
export function fillCases(cache: Cache, count: number): void {
  const payloadOf = createPayloads(1);
  for (let first = 0; first < count; first += pageSize) {
    const Items = Array.from({ length: pageSize }, (_, index) =>
      answeredCase(first + index, payloadOf),
    );
    const answer = casePage.parse({ Total: count, Page: 1, Size: pageSize, Items });
    cache.together(() => cache.cases.upsert(answer.items));
  }
}
