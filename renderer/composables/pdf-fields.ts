import { AnnotationMode, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import { z } from 'zod';

/** A field of a form that has a value and no picture of it. */
const bareField = z.object({
  id: z.string(),
  subtype: z.literal('Widget'),
  fieldType: z.enum(['Tx', 'Ch']),
  hasAppearance: z.literal(false),
  fieldValue: z.union([z.string().min(1), z.array(z.string()).min(1)]),
});

/** A radio button of which pdf.js does not know for which choice it stands. */
const unknownChoice = z.object({
  subtype: z.literal('Widget'),
  radioButton: z.literal(true),
  hasAppearance: z.literal(false),
  buttonValue: z.null(),
});

/**
 * How the fields of a page are drawn. A program that fills a form may leave it to the reader to draw
 * the values; pdf.js does so if they stand in its storage.
 * @param onUnknownChoice a radio button is not drawn, chosen or not
 */
export async function fieldMode(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  onUnknownChoice?: () => void,
): Promise<number> {
  const annotations: readonly unknown[] = await page.getAnnotations({ intent: 'display' });
  const bare = annotations.flatMap((one) => bareField.safeParse(one).data ?? []);
  for (const { id, fieldValue } of bare) pdf.annotationStorage.setValue(id, { value: fieldValue });
  if (annotations.some((one) => unknownChoice.safeParse(one).success)) onUnknownChoice?.();
  return bare.length > 0 ? AnnotationMode.ENABLE_STORAGE : AnnotationMode.ENABLE;
}
