import { z } from 'zod';
import { storedProblemSchema } from '../contract/errors.ts';

/** A piece of a line; `fault` is what a finding is about. A picture has no text. */
const pagePieceSchema = z.object({
  kind: z.enum(['text', 'fault', 'picture']),
  text: z.string(),
});
export type PagePiece = z.infer<typeof pagePieceSchema>;

/** A paragraph; `margin` is one of a header or footer. */
const pageLineSchema = z.object({
  kind: z.literal('line'),
  style: z.enum(['text', 'heading', 'item', 'margin']),
  pieces: z.array(pagePieceSchema),
});
export type PageLine = z.infer<typeof pageLineSchema>;

const pageBlockSchema = z.discriminatedUnion('kind', [
  pageLineSchema,
  z.object({ kind: z.literal('table'), rows: z.array(z.array(z.array(pageLineSchema))) }),
]);
export type PageBlock = z.infer<typeof pageBlockSchema>;

/** A file that was looked at as a template. The number lasts until the desk ends. */
export const lookRefSchema = z.object({ lookId: z.uuid() });

/** A template filled with samples. */
export const templatePageSchema = z.object({
  /** Whether LibreOffice made pages of it, which are read as a file. */
  hasPages: z.boolean(),
  /** The reason why LibreOffice made no pages although it is here. */
  problem: storedProblemSchema.nullable(),
  blocks: z.array(pageBlockSchema),
});
export type TemplatePage = z.infer<typeof templatePageSchema>;

/** A file that the user's own template had or has. */
export const templateVersionSchema = z.object({
  version: z.int(),
  fileName: z.string(),
  sizeBytes: z.int(),
  addedAt: z.string(),
  /** Reports are filled with this one. */
  isCurrent: z.boolean(),
});
export type TemplateVersion = z.infer<typeof templateVersionSchema>;
