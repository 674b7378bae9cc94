import { AnnotationMode, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import { z } from 'zod';

/** A field of a form that has a value but no picture of the value. */
const bareField = z.object({
  id: z.string(),
  subtype: z.literal('Widget'),
  fieldType: z.enum(['Tx', 'Ch']),
  hasAppearance: z.literal(false),
  fieldValue: z.union([z.string().min(1), z.array(z.string()).min(1)]),
});

/**
 * A radio button for which pdf.js does not know which choice it represents. If the form leaves all
 * pictures to the reader, pdf.js claims a picture for each field with a value.
 */
const unknownChoice = z.object({
  subtype: z.literal('Widget'),
  radioButton: z.literal(true),
  buttonValue: z.null(),
});
const withoutPicture = z.union([
  z.object({ hasAppearance: z.literal(false) }),
  z.object({
    fieldValue: z
      .string()
      .min(1)
      .refine((value) => value !== 'Off'),
  }),
]);
const unknownButton = unknownChoice.and(withoutPicture);

/**
 * Returns how the fields of a page are drawn. A program that fills a form may leave the drawing of
 * the values to the reader. pdf.js draws the values if they are in its storage.
 * @param onUnknownChoice called if a radio button is not drawn, whether it is chosen or not
 */
export async function fieldMode(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  onUnknownChoice?: () => void,
): Promise<number> {
  const annotations: readonly unknown[] = await page.getAnnotations({ intent: 'display' });
  const bare = annotations.flatMap((one) => bareField.safeParse(one).data ?? []);
  for (const { id, fieldValue } of bare) pdf.annotationStorage.setValue(id, { value: fieldValue });
  if (annotations.some((one) => unknownButton.safeParse(one).success)) onUnknownChoice?.();
  return bare.length > 0 ? AnnotationMode.ENABLE_STORAGE : AnnotationMode.ENABLE;
}
