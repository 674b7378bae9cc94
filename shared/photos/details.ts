import { toNormalForm } from '../lib/normal-form.ts';
import { z } from 'zod';
import { captionMax } from './caption-max.ts';
import { photoEditSchema } from './edit.ts';

/** What a file of a report is. */
export const fileKinds = [
  'report',
  'estimate',
  'salvage',
  'invoice',
  'sheet',
  'photo',
  'other',
] as const;
export type FileKind = (typeof fileKinds)[number];

/** What a photo shows. */
export const photoGroups = [
  'front',
  'rear',
  'left',
  'right',
  'damage',
  'interior',
  'mileage',
  'chassis',
  'plate',
  'overview',
  'surroundings',
  'signature',
] as const;
export type PhotoGroup = (typeof photoGroups)[number];

/** The group of a picture that has a place of its own in a template, and is no photo of its lists. */
export const partySignatureGroup: PhotoGroup = 'signature';

/** A file as it came in, stored next to what was made of it and never sent. */
export const originalSchema = z.object({
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  /** Of a file of several pages, from 0. */
  page: z.int(),
});

/** A document that the desk filled from a template of the office. */
const filledSchema = z.object({
  templateId: z.string(),
  templateName: z.string(),
  /** Which file of the user's own template it was; null for other templates. */
  templateVersion: z.int().nullable().default(null),
  at: z.string(),
  /** When it was last saved in Word and taken back; null before. */
  savedAt: z.string().nullable(),
  /** What the line of a sheet said that a batch filled it for (a hash); null for others. */
  line: z.string().nullable().default(null),
});
export type FilledDetails = z.infer<typeof filledSchema>;

/** What the desk knows of a file of a report next to its bytes. */
export const attachmentDetailsSchema = z.object({
  /** Chosen by the user; null if nobody chose. */
  kind: z.enum(fileKinds).nullable().default(null),
  caption: z.string().max(captionMax).default(''),
  group: z.enum(photoGroups).nullable().default(null),
  /** When the photo was taken by the camera's own clock: YYYY-MM-DDTHH:MM:SS. */
  takenAt: z.string().max(19).nullable().default(null),
  /** The telephone's id of a picture that the desk's page on a telephone sent; null for others. */
  telephoneId: z.string().nullable().default(null),
  /** The name under which the file came in. */
  addedName: z.string().default(''),
  /** A PDF that opens with a password only. */
  isProtected: z.boolean().default(false),
  /** A picture whose file is likely to show wrong pixels: what was read of it is not as it was written. */
  looksDamaged: z.boolean().default(false),
  /** A PDF whose form has answers that the viewer does not show, or not for certain. */
  hidesAnswers: z.boolean().default(false),
  /** The number of files that a mail carries. */
  innerFiles: z.int().default(0),
  edit: photoEditSchema.nullable().default(null),
  /** Counts the changes of `edit`. */
  editVersion: z.int().default(0),
  /** The change that the bytes to be sent show; null: the file was not looked at as a photo. */
  renderedVersion: z.int().nullable().default(null),
  /** What is sent of a picture was seen to contain nothing but the picture. */
  isBare: z.boolean().default(false),
  /** Null if the file is sent as it came in. */
  original: originalSchema.nullable().default(null),
  /** Stays in the draft and is not sent: the document of which a PDF is sent. */
  isWithheld: z.boolean().default(false),
  /** The document that this PDF was made of, with its content at the time; null for others. */
  pdfOf: z.object({ attachmentId: z.string(), sha256: z.string() }).nullable().default(null),
  /** The files of the draft of which this one PDF was made, the report first; null for others. */
  boundOf: z
    .array(z.object({ attachmentId: z.string(), sha256: z.string() }))
    .nullable()
    .default(null),
  /** Null if the file was not made from a template. */
  filled: filledSchema.nullable().default(null),
});
export type AttachmentDetails = z.infer<typeof attachmentDetailsSchema>;

export const noDetails: AttachmentDetails = attachmentDetailsSchema.parse({});

/** What the user changes; parts that are left out stay. */
export const detailsChangeSchema = z.object({
  kind: z.enum(fileKinds).nullable().optional(),
  caption: z.string().max(captionMax).optional(),
  group: z.enum(photoGroups).nullable().optional(),
  edit: photoEditSchema.optional(),
  /** The version that `edit` goes on from. A later one, of another window, is not replaced. */
  editVersion: z.int().optional(),
  isWithheld: z.boolean().optional(),
});
export type DetailsChange = z.infer<typeof detailsChangeSchema>;

/** Travels in a header with the bytes that were made of a photo. */
export const renditionSchema = z.object({
  /** Which change of the edit the bytes show. */
  editVersion: z.int(),
  takenAt: z.string().max(19).nullable(),
  /** A further page of the original becomes a separate file. */
  page: z.int().min(0).max(500),
});
export type Rendition = z.infer<typeof renditionSchema>;

const vehicle: readonly PhotoGroup[] = [
  'front',
  'rear',
  'left',
  'right',
  'damage',
  'interior',
  'mileage',
  'chassis',
  'plate',
];

/** What the photos of a case of a category usually show. */
export function usualGroups(category: string | null): readonly PhotoGroup[] {
  return category === 'vehicle' ? vehicle : ['overview', 'damage', 'surroundings'];
}

/** What identifies the kind of a file. */
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
  [
    'sheet',
    /fotoblatt|fotodokumentation|photo sheet|planche (?:de )?photos?|(?:foglio|tavola) foto/i,
  ],
  ['report', /gutachten|expertise|appraisal|rapport|report|perizia|bericht/i],
];

/**
 * What a file is: what the user chose, else what its name shows. A file whose name shows nothing is
 * a photo or an enclosure, and never a report.
 */
export function kindOf({ fileName, contentType, isSalvageSale, details }: KindSource): FileKind {
  if (details.kind !== null) return details.kind;
  if (isSalvageSale) return 'salvage';
  if (contentType.startsWith('image/')) return 'photo';
  const name = toNormalForm(fileName, 'NFC').replaceAll(/[_-]/g, ' ');
  return wordsOfKind.find(([, words]) => words.test(name))?.[0] ?? 'other';
}
