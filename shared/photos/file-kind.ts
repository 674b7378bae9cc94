import type { FileKind } from './details.ts';

/** What of a file tells its kind. */
export interface KindSource {
  readonly fileName: string;
  readonly contentType: string;
  readonly isSalvageSale: boolean;
  readonly details: { readonly kind: FileKind | null };
}

/** Words of the four languages, in the order in which they decide. */
const wordsOfKind: readonly (readonly [FileKind, RegExp])[] = [
  ['salvage', /restwert|salvage|[ée]pave|relitto|valeur r[ée]siduelle|valore residuo/i],
  ['estimate', /kostenvoranschlag|\bkv\b|estimate|devis|preventivo|kalkulation/i],
  ['invoice', /rechnung|invoice|facture|fattura/i],
  ['sheet', /fotoblatt|photo sheet|planche photo|foglio foto/i],
  ['report', /gutachten|expertise|rapport|report|perizia|bericht/i],
];

/**
 * What a file is: what a person said, else what its name says. A file whose name says nothing is a
 * photo or an enclosure, and never a report.
 */
export function kindOf({ fileName, contentType, isSalvageSale, details }: KindSource): FileKind {
  if (details.kind !== null) return details.kind;
  if (isSalvageSale) return 'salvage';
  if (contentType.startsWith('image/')) return 'photo';
  const name = fileName.normalize('NFC').replaceAll(/[_-]/g, ' ');
  return wordsOfKind.find(([, words]) => words.test(name))?.[0] ?? 'other';
}
