import { z } from 'zod';
import { categories } from '../../api/case-words.ts';
import { documentMaxBytes } from '../../api/limits.ts';
import { storedProblemSchema } from '../contract/errors.ts';
import { languages } from '../../i18n/language.ts';
import { templateFieldKinds } from './template-fields.ts';

/** A part of a Word document in which a field can stand. */
export const templateParts = ['document', 'header', 'footer', 'footnote', 'endnote'] as const;
export type TemplatePart = (typeof templateParts)[number];

/**
 * The faults of a template. `unknown`: no field has this name here. `unclosed` and `unopened`: the
 * other end of a list or condition is missing. `brace`: one brace has no counterpart. `alone`: a
 * picture or list stands where a text must stand, or the reverse. `syntax`: the expression cannot
 * be read. `place`: fields in this place are never filled. `split`: the field lies in two elements
 * of Word. `unfillable`: a trial filling produced no sound document.
 */
export const templateFaults = [
  'unknown',
  'unclosed',
  'unopened',
  'brace',
  'alone',
  'syntax',
  'place',
  'split',
  'unfillable',
] as const;
export type TemplateFault = (typeof templateFaults)[number];

/** The reason of a fault that does not explain itself. */
export const templateFindingReasons = [
  'too_long',
  'syntax',
  'filter',
  'table',
  'control',
  'fieldCode',
  'drawing',
  'properties',
  'hyperlink',
  'structure',
  'pictures',
  'left',
] as const;
export type TemplateFindingReason = (typeof templateFindingReasons)[number];

/** What helps the user to find the place in Word; a part is null if it does not exist. */
const templatePlaceSchema = z.object({
  /** The nearest heading above the place. */
  heading: z.string().max(80).nullable(),
  /** The numbers of table and row, counted from 1 within the part. */
  table: z.int().nullable(),
  row: z.int().nullable(),
});
export type TemplatePlace = z.infer<typeof templatePlaceSchema>;

export const templateFindingSchema = z.object({
  fault: z.enum(templateFaults),
  /** The field as the template spells it. */
  field: z.string().max(200),
  part: z.enum(templateParts),
  /** The words around the field. */
  near: z.string().max(200),
  reason: z.enum(templateFindingReasons).nullable(),
  place: templatePlaceSchema,
  /** The field that is probably meant; `#photos` if the field belongs into that list. */
  suggestion: z.string().max(200).nullable(),
});
export type TemplateFinding = z.infer<typeof templateFindingSchema>;

/**
 * The things that the desk removes from a template when it fills it. A report shows none of them.
 */
export const removedThings = [
  'attachedTemplate',
  'comments',
  'changes',
  'link',
  'inserted',
  'other',
] as const;
export type RemovedThing = (typeof removedThings)[number];

/**
 * `own`: the user added it. `office`: it is in the folder that IT set. `desk`: it came with the
 * desk.
 */
export const templateSources = ['own', 'office', 'desk'] as const;

const nameSchema = z.string().trim().min(1).max(80);
const choices = {
  name: nameSchema,
  /** The language of the values that are filled in. */
  language: z.enum(languages),
  /** The category of the cases that it is for; null means every category. */
  category: z.enum(categories).nullable(),
};

export const templateSchema = z.object({
  id: z.string().min(1).max(300),
  source: z.enum(templateSources),
  ...choices,
  fileName: z.string(),
  sizeBytes: z.int(),
  /** When the user added it; null if it came from elsewhere. */
  addedAt: z.string().nullable(),
  /** Counts the files of the user's own template; null for others. */
  version: z.int().nullable(),
  /** The faults that prevent filling. A template that the user added has none. */
  findings: z.array(templateFindingSchema),
  /** The reason why a file of the office's folder is not a template. */
  problem: storedProblemSchema.nullable(),
});
export type Template = z.infer<typeof templateSchema>;

/** The result of adding a file or of looking at a template. A file with findings is not stored. */
export const addedTemplateSchema = z.object({
  /** Under which its filled page and its marked copy are asked for. */
  lookId: z.uuid(),
  template: templateSchema.nullable(),
  findings: z.array(templateFindingSchema),
  /** The things that the desk removes when it fills the template. */
  removed: z.array(z.enum(removedThings)),
});
export type AddedTemplate = z.infer<typeof addedTemplateSchema>;

/** The organization's folder of templates; null if it set none. */
export const templateFolderSchema = z.object({
  folder: z.string().nullable(),
  /** The reason why the templates of the folder are missing. */
  folderProblem: storedProblemSchema.nullable(),
});

export const templateListSchema = templateFolderSchema.extend({
  items: z.array(templateSchema),
  total: z.int(),
  /** Whether a program on this device can make the PDF of a document. */
  makesPdf: z.boolean(),
  /**
   * Whether a document can be opened in the system's program and is taken over when it is saved
   * there.
   */
  canOpen: z.boolean(),
});

export const templateRefSchema = z.object({ templateId: z.string().min(1).max(300) });
export const templateChangeSchema = templateRefSchema.extend(choices);

const line = z.string().trim().max(200).default('');
/** The author of the reports, for the head and the end of a page. */
export const appraiserSchema = z.object({
  name: line,
  office: line,
  address: line,
  phone: line,
  email: line,
});
export type Appraiser = z.infer<typeof appraiserSchema>;

/** The largest picture of a signature. A picture of a phone is reduced to much less. */
export const signatureMaxBytes = 2_000_000;
/** The picture of the appraiser's signature as a data address; null if there is none. */
export const signatureSchema = z.object({ picture: z.string().nullable() });
export type Signature = z.infer<typeof signatureSchema>;

/** A field of a template with its value in a case. */
export const fieldValueSchema = z.object({
  name: z.string(),
  kind: z.enum(templateFieldKinds),
  list: z.string().nullable(),
  section: z.string(),
  label: z.string(),
  /**
   * The value; empty without a case, or if the case does not have it. For a list it is the number
   * of entries.
   */
  value: z.string(),
});
export type FieldValue = z.infer<typeof fieldValueSchema>;
export const fieldValuesInputSchema = z.object({
  id: z.string().min(1).max(200).optional(),
  language: z.enum(languages),
});

/** A field that a template uses and the case does not have. */
const missingFieldSchema = z.object({
  name: z.string(),
  list: z.string().nullable(),
  section: z.string(),
  label: z.string(),
  /** The number of entries of its list that do not have the field. */
  entries: z.int(),
});
export type MissingField = z.infer<typeof missingFieldSchema>;
/** What is known before the template is filled. */
export const fillPreviewSchema = z.object({
  missing: z.array(missingFieldSchema),
  /** The names of photos whose format cannot be placed in a document. */
  unplaceable: z.array(z.string()),
  photos: z.int(),
});

export type FillPreview = z.infer<typeof fillPreviewSchema>;

/** A document of a draft that was opened in the system's program. */
const openedReportSchema = z.object({
  attachmentId: z.string(),
  /** The reason why the desk could not take over what was saved. */
  problem: storedProblemSchema.nullable(),
});
export type OpenedReport = z.infer<typeof openedReportSchema>;
export const openedReportsSchema = z.object({ items: z.array(openedReportSchema), total: z.int() });

export const fillInputSchema = templateRefSchema.extend({
  draftId: z.uuid(),
  /** The filled document that the new one replaces. */
  replaces: z.uuid().optional(),
  /** The user knows that a program has the document open. */
  isConfirmed: z.boolean().default(false),
});
export type FillInput = z.input<typeof fillInputSchema>;

/** The size to which one PDF is reduced, bytes. */
export const pdfMaxBytesSchema = z.int().min(100_000).max(documentMaxBytes);
export const onePdfInputSchema = z.object({
  draftId: z.uuid(),
  /** A filled document, or a PDF. */
  reportId: z.uuid(),
  /** PDFs and pictures of the draft, in their order. */
  annexIds: z.array(z.uuid()).max(500),
  maxBytes: pdfMaxBytesSchema.optional(),
});
export type OnePdfInput = z.infer<typeof onePdfInputSchema>;
