import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFObjectCopier,
  PDFString,
} from '@cantoo/pdf-lib';

const name = (text: string) => PDFName.of(text);

/** The list of the files that a PDF embeds (ISO 32000-2, 7.7.4); undefined if it has none. */
function listOf({ catalog }: PDFDocument): PDFDict | undefined {
  const names = catalog.lookup(name('Names'));
  const list = names instanceof PDFDict ? names.lookup(name('EmbeddedFiles')) : undefined;
  return list instanceof PDFDict ? list : undefined;
}

/** The files that a PDF embeds, as the viewer lists them. */
function filesOf(pdf: PDFDocument): PDFObject[] {
  const files: PDFObject[] = [];
  const list = listOf(pdf);
  const left: PDFDict[] = list ? [list] : [];
  const seen = new Set<PDFDict>();
  for (let node = left.shift(); node; node = left.shift()) {
    if (seen.has(node)) continue;
    seen.add(node);
    const [names, kids] = [node.lookup(name('Names')), node.lookup(name('Kids'))];
    // Each file stands behind its key.
    if (names instanceof PDFArray) files.push(...names.asArray().filter((_, at) => at % 2 === 1));
    if (!(kids instanceof PDFArray)) continue;
    const nodes = kids.asArray().map((_, at) => kids.lookup(at));
    left.push(...nodes.filter((kid) => kid instanceof PDFDict));
  }
  return files;
}

/** Adds the files that the annexes embed to those of the report. */
export function carryFiles(pdf: PDFDocument, annexes: readonly PDFDocument[]): void {
  const added = annexes.flatMap((annex) => {
    const copier = PDFObjectCopier.for(annex.context, pdf.context);
    return filesOf(annex).map((file) => copier.copy(file));
  });
  if (added.length === 0) return;
  const all = [...filesOf(pdf), ...added];
  // The keys have to be in their order, and the name of a file stands in the file's own entry.
  const entries = all.flatMap((file, at) => [PDFString.of(String(at).padStart(6, '0')), file]);
  const list = pdf.context.obj({});
  list.set(name('Names'), pdf.context.obj(entries));
  const names = pdf.catalog.lookup(name('Names'));
  if (names instanceof PDFDict) names.set(name('EmbeddedFiles'), list);
  else pdf.catalog.set(name('Names'), pdf.context.obj({ EmbeddedFiles: list }));
}
