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

/**
 * How the fields of a page are drawn. A program that fills a form may leave it to the reader to draw
 * the values; pdf.js does so if they stand in its storage.
 */
export async function fieldMode(pdf: PDFDocumentProxy, page: PDFPageProxy): Promise<number> {
  const annotations: readonly unknown[] = await page.getAnnotations({ intent: 'display' });
  const bare = annotations.flatMap((one) => bareField.safeParse(one).data ?? []);
  for (const { id, fieldValue } of bare) pdf.annotationStorage.setValue(id, { value: fieldValue });
  return bare.length > 0 ? AnnotationMode.ENABLE_STORAGE : AnnotationMode.ENABLE;
}
