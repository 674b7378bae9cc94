import type { Attachment } from '#shared/desk/reports/reports.ts';
import { readWhole } from '../lib/desk-bytes.ts';
import { base64Of } from '../lib/files.ts';
import { usePhotoStudio } from '../lib/photos/photo-studio.ts';
import { unusable } from '../lib/photos/ready-photo.ts';
import type { PhotoSheet, SheetPhoto } from '#shared/pdf/photo-sheet.ts';
import { useTransport } from '../transport/transport.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useDraftFilesStore } from './draft-files-store.ts';
import type { usePhotoWork } from './photo-work.ts';

/** The longer side of a photo on a sheet in pixels. It is sharp on a whole A4 page at 150 dpi. */
const sheetEdge = 1600;
/** The longer side of a logo in pixels, which is sufficient for a printer. */
const logoEdge = 480;

export interface ChosenPhoto {
  readonly photo: Attachment;
  readonly caption: string;
  readonly group: string;
}

type SheetWords = Pick<PhotoSheet, 'title' | 'about' | 'footer' | 'perPage'> & {
  readonly fileName: string;
};

/** Makes the photo sheets of drafts, with the office's logo. */
export function usePhotoSheets({ each, result }: ReturnType<typeof usePhotoWork>) {
  const { files } = useTransport();
  const studio = usePhotoStudio();
  const appearance = useAppearanceStore();
  const draftFiles = useDraftFilesStore();

  /** Stores the office's logo for this sheet and later ones. */
  async function setLogo(file: File | null): Promise<void> {
    if (file === null) {
      appearance.choose({ sheetLogo: null });
      return;
    }
    const task = { kind: 'picture', content: file, page: 0, longEdge: logoEdge } as const;
    const { jpeg } = await studio.run(task).catch((cause: unknown) => {
      throw unusable(file.name, cause);
    });
    appearance.choose({ sheetLogo: `data:image/jpeg;base64,${await base64Of(jpeg)}` });
  }

  /** Adds a PDF with the photos and their captions to the draft. */
  async function addSheet(draftId: string, chosen: readonly ChosenPhoto[], sheet: SheetWords) {
    result.value = null;
    const outcome = await draftFiles.during(draftId, 'photos', async () => {
      const pages = new Map<string, SheetPhoto>();
      const words = new Map(chosen.map(({ photo, ...text }) => [photo.id, text]));
      const photos = chosen.map(({ photo }) => photo);
      const worked = await each(draftId, photos, async ({ id, contentType }) => {
        const content = await readWhole(files.attachmentUrl(draftId, id), { type: contentType });
        const shown = await studio.run({
          kind: 'picture',
          content,
          page: 0,
          longEdge: sheetEdge,
        });
        pages.set(id, {
          bytes: new Uint8Array(await shown.jpeg.arrayBuffer()),
          width: shown.width,
          height: shown.height,
          ...(words.get(id) ?? { caption: '', group: '' }),
        });
      });
      const inOrder = photos.flatMap(({ id }) => pages.get(id) ?? []);
      if (inOrder.length > 0 && !worked.stopped) {
        const { fileName, ...layout } = sheet;
        const { pdf } = await studio.run({
          kind: 'sheet',
          sheet: { ...layout, photos: inOrder, logo: appearance.sheetLogo },
        });
        await draftFiles.addFiles(draftId, [new File([pdf], fileName, { type: pdf.type })]);
      }
      return worked;
    });
    result.value = { draftId, ...outcome };
  }

  return { setLogo, addSheet };
}
