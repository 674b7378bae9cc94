import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The strings of each page of a PDF, as pdf.js reads them. */
export async function stringsOfPdf(bytes: Uint8Array): Promise<string[][]> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const pdf = await loading.promise;
  const pages: string[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')));
  }
  await loading.destroy();
  return pages;
}
