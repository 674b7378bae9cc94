import { z } from 'zod';
import { categories } from '../api/case-words.ts';
import { storedProblemSchema } from './errors.ts';
import { languages } from '../i18n/language.ts';
import { templateFieldKinds } from './template-fields.ts';

/** A place in a template, as Word shows it. */
export const templateParts = ['document', 'header', 'footer', 'footnote', 'endnote'] as const;
export type TemplatePart = (typeof templateParts)[number];

/**
 * `unknown`: no field has this name here; `unclosed` and `unopened`: the other end of a list or
 * condition is missing; `brace`: one brace without the other; `alone`: a picture or list where a
 * text stands, or the reverse; `unfillable`: the filling of a trial failed.
 */
export const templateFaults = [
  'unknown',
  'unclosed',
  'unopened',
  'brace',
  'alone',
  'unfillable',
] as const;
export const templateFindingSchema = z.object({
  fault: z.enum(templateFaults),
  /** As it stands in the template. */
  field: z.string().max(200),
  part: z.enum(templateParts),
  /** The words around it. */
  near: z.string().max(200),
});
export type TemplateFinding = z.infer<typeof templateFindingSchema>;

/** `own`: added by the user; `office`: of the folder that IT set; `desk`: came with the desk. */
export const templateSources = ['own', 'office', 'desk'] as const;

const nameSchema = z.string().trim().min(1).max(80);
const choices = {
  name: nameSchema,
  /** Of the values that are filled in. */
  language: z.enum(languages),
  /** Null: for cases of every category. */
  category: z.enum(categories).nullable(),
};

export const templateSchema = z.object({
  id: z.string().min(1).max(300),
  source: z.enum(templateSources),
  ...choices,
  fileName: z.string(),
  sizeBytes: z.int(),
  /** Null for those that were not added here. */
  addedAt: z.string().nullable(),
  /** What stops it from being filled; those that the user added have none. */
  findings: z.array(templateFindingSchema),
  /** Why a file of the office's folder is no template. */
  problem: storedProblemSchema.nullable(),
});
export type Template = z.infer<typeof templateSchema>;

/** What the desk did with a file that the user added; with findings it is not stored. */
export const addedTemplateSchema = z.object({
  template: templateSchema.nullable(),
  findings: z.array(templateFindingSchema),
});
export type AddedTemplate = z.infer<typeof addedTemplateSchema>;

/** The organization's folder of templates; null if it set none. */
export const templateFolderSchema = z.object({
  folder: z.string().nullable(),
  /** Why its templates are missing. */
  folderProblem: storedProblemSchema.nullable(),
});

export const templateListSchema = templateFolderSchema.extend({
  items: z.array(templateSchema),
  total: z.int(),
  /** A program of this device makes the PDF of a document. */
  makesPdf: z.boolean(),
  /** A document can be given to the system's program, and is taken back when it is saved there. */
  canOpen: z.boolean(),
});

export const templateRefSchema = z.object({ templateId: z.string().min(1).max(300) });
export const templateChangeSchema = templateRefSchema.extend(choices);

const line = z.string().trim().max(200).default('');
/** Who writes the reports, for the head and the end of a page. */
export const appraiserSchema = z.object({
  name: line,
  office: line,
  address: line,
  phone: line,
  email: line,
});
export type Appraiser = z.infer<typeof appraiserSchema>;

/** A field of a template with its value in a case. */
export const fieldValueSchema = z.object({
  name: z.string(),
  kind: z.enum(templateFieldKinds),
  list: z.string().nullable(),
  section: z.string(),
  label: z.string(),
  /** Empty without a case, and if the case does not have it. Of a list its number of entries. */
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
  /** In how many entries of its list. */
  entries: z.int(),
});
export type MissingField = z.infer<typeof missingFieldSchema>;
/** Before it is filled. */
export const fillPreviewSchema = z.object({
  missing: z.array(missingFieldSchema),
  /** Names of photos of a format that cannot be placed in a document. */
  unplaceable: z.array(z.string()),
  photos: z.int(),
});

export type FillPreview = z.infer<typeof fillPreviewSchema>;

/** A document of a draft that was given to the system's program. */
const openedReportSchema = z.object({
  attachmentId: z.string(),
  /** Why what was saved there is not taken back. */
  problem: storedProblemSchema.nullable(),
});
export type OpenedReport = z.infer<typeof openedReportSchema>;
export const openedReportsSchema = z.object({ items: z.array(openedReportSchema), total: z.int() });

export const fillInputSchema = templateRefSchema.extend({
  draftId: z.uuid(),
  /** The filled document that it takes the place of. */
  replaces: z.uuid().optional(),
  /** The user knows that a program has it open. */
  isConfirmed: z.boolean().default(false),
});
export type FillInput = z.input<typeof fillInputSchema>;
