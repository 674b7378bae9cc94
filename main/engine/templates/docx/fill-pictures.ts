import type { Length, SizedPicture } from './evaluate.ts';
import type { DocxPackage } from './docx-package.ts';
import type { FilledPicture } from './fill-data.ts';
import type { Room } from './room.ts';
import type { Tag } from './tags.ts';
import { element, printable, type XmlElement } from './xml-tree.ts';

/** A twentieth of a point in the unit of drawings. */
const emuPerTwip = 635;

/** Puts pictures into a document, each once, whichever parts show it. */
export class FilledPictures {
  readonly #pack: DocxPackage;
  readonly #pictures: readonly FilledPicture[];
  readonly #media = new Map<number, string>();
  readonly #relations = new Map<string, string>();

  constructor(pack: DocxPackage, pictures: readonly FilledPicture[]) {
    this.#pack = pack;
    this.#pictures = pictures;
  }

  /** In the run of its tag: in the frame of the placeholder, else as wide as there is room. */
  place(part: string, run: XmlElement, tag: Tag, value: SizedPicture): void {
    const source = this.#pictures[value.picture];
    if (!source || !tag.room) {
      run.remove();
      return;
    }
    const frame = tag.frame ? run.all().find((one) => one.is('wp:inline', 'wp:anchor')) : undefined;
    const size = sizeOf(source, value, tag.room, frame);
    const relation = this.#relationOf(part, value.picture, source);
    const altText = printable(value.altText);
    if (frame) {
      refill(frame, { relation, size, altText });
      return;
    }
    for (const child of run.elements) if (!child.is('w:rPr')) child.remove();
    run.append(drawing({ relation, size, altText }));
    // A line of an exact height would cut the picture.
    const spacing = run.up('w:p')?.find('w:pPr', 'w:spacing');
    if (spacing?.get('w:lineRule') !== 'exact') return;
    for (const name of ['w:lineRule', 'w:line']) spacing.attributes.delete(name);
  }

  #relationOf(part: string, picture: number, { bytes, format }: FilledPicture): string {
    const key = `${picture} ${part}`;
    const known = this.#relations.get(key);
    if (known !== undefined) return known;
    const extension = format === 'image/png' ? 'png' : 'jpg';
    const name = this.#media.get(picture) ?? this.#pack.addPicture(bytes, extension);
    this.#media.set(picture, name);
    const relation = this.#pack.addRelation(part, 'image', name);
    this.#relations.set(key, relation);
    return relation;
  }
}

interface Drawn {
  readonly relation: string;
  readonly size: { readonly cx: number; readonly cy: number };
  readonly altText: string;
}

/** As large as its field, its placeholder and its room allow, in its own proportions. */
function sizeOf(
  source: FilledPicture,
  { width, height }: SizedPicture,
  room: Room,
  frame: XmlElement | undefined,
): Drawn['size'] {
  const extent = frame?.find('wp:extent');
  const isAsked = width !== undefined || height !== undefined;
  const asked =
    isAsked || !extent
      ? { width, height }
      : {
          width: Number(extent.get('cx')) / emuPerTwip,
          height: Number(extent.get('cy')) / emuPerTwip,
        };
  const box = {
    width: lengthOf(asked.width, room.width) ?? room.width,
    height: lengthOf(asked.height, room.height) ?? (isAsked ? room.height : room.usualHeight),
  };
  const scale = Math.min(
    Math.min(box.width, room.width) / source.width,
    Math.min(box.height, room.height) / source.height,
  );
  const emu = (pixels: number) => Math.max(1, Math.round(pixels * scale * emuPerTwip));
  return { cx: emu(source.width), cy: emu(source.height) };
}

function lengthOf(length: Length | undefined, of: number): number | null {
  if (length === undefined) return null;
  const found = typeof length === 'number' ? length : (of * length.percent) / 100;
  return found > 0 ? found : null;
}

/** Place, wrapping and border of the placeholder stay. */
function refill(frame: XmlElement, { relation, size, altText }: Drawn): void {
  for (const one of frame.all()) {
    const isSize = one.is('wp:extent') || (one.is('a:ext') && one.attributes.has('cx'));
    if (isSize) {
      one.set('cx', String(size.cx));
      one.set('cy', String(size.cy));
    } else if (one.is('a:blip')) {
      one.set('r:embed', relation);
      for (const child of one.elements) child.remove();
    } else if (one.is('a:srcRect'))
      for (const side of ['l', 't', 'r', 'b']) one.attributes.delete(side);
    else if (one.is('wp:docPr', 'pic:cNvPr') && one.attributes.has('descr'))
      one.set('descr', altText);
  }
}

const pictureSpace = 'http://schemas.openxmlformats.org/drawingml/2006/picture';

function drawing({ relation, size, altText }: Drawn): XmlElement {
  const properties = element(
    'pic:nvPicPr',
    {},
    element('pic:cNvPr', { id: 0, name: 'Photo' }),
    element('pic:cNvPicPr'),
  );
  const fill = element(
    'pic:blipFill',
    {},
    element('a:blip', { 'r:embed': relation }),
    element('a:stretch', {}, element('a:fillRect')),
  );
  const shape = element(
    'pic:spPr',
    {},
    element('a:xfrm', {}, element('a:off', { x: 0, y: 0 }), element('a:ext', { ...size })),
    element('a:prstGeom', { prst: 'rect' }, element('a:avLst')),
  );
  const picture = element('pic:pic', {}, properties, fill, shape);
  const graphic = element(
    'a:graphic',
    {},
    element('a:graphicData', { uri: pictureSpace }, picture),
  );
  const locks = element('a:graphicFrameLocks', { noChangeAspect: 1 });
  const inline = element(
    'wp:inline',
    { distT: 0, distB: 0, distL: 0, distR: 0 },
    element('wp:extent', { ...size }),
    element('wp:docPr', { id: 1, name: 'Photo', descr: altText }),
    element('wp:cNvGraphicFramePr', {}, locks),
    graphic,
  );
  return element('w:drawing', {}, inline);
}
