import { z } from 'zod';

/** The themes that the user can choose; `system` follows the operating system. */
export const themeChoices = ['system', 'light', 'dark', 'contrast'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

/** The ground of the window in each theme, which it has before its page is drawn. */
export const grounds = { light: '#F3F5F6', dark: '#10161A', contrast: '#000000' } as const;

/** How the window looks and reacts on this laptop. A part is absent until the user chooses it. */
export const appearanceSchema = z.object({
  theme: z.enum(themeChoices).optional(),
  /** Whether the user has used or closed the first steps of a new desk. */
  started: z.boolean().optional(),
  /** Whether shortcuts of a single key apply. */
  singleKeys: z.boolean().optional(),
  /** Whether the list of cases is a separate table. */
  asTable: z.boolean().optional(),
  /** The share of the width that a document takes next to its case. */
  documentPercent: z.number().min(25).max(75).optional(),
  /** The names of the table's columns, in their order. */
  columns: z.array(z.string().max(40)).max(40).optional(),
  /** How photos are sent: the longer side in pixels (null leaves the size), place and device. */
  photos: z
    .object({ longEdge: z.int().min(800).max(20_000).nullable(), keepPlace: z.boolean() })
    .optional(),
  /** Whether each photo of a report has a row, next to the groups of small pictures. */
  photosAsRows: z.boolean().optional(),
  /** The office's logo for photo sheets: a small JPEG. */
  sheetLogo: z
    .string()
    .max(300_000)
    .regex(/^data:image\/jpeg;base64,[A-Za-z0-9+/]+=*$/)
    .nullable()
    .optional(),
  /** The template by which the files of a report are renamed. */
  nameTemplate: z.string().max(250).optional(),
});
export type Appearance = z.infer<typeof appearanceSchema>;
