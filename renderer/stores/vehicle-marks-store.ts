import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import {
  findVehicles,
  type KnownVehicles,
  type PictureReading,
  type VehicleFind,
} from '#shared/lib/vehicle-marks.ts';
import { vehiclesOf } from '#shared/payload/digest.ts';
import type { PhotoGroup } from '#shared/photos/details.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { readWhole } from '../lib/desk-bytes.ts';
import { useRecognizer } from '../lib/scans/recognizer.ts';
import { useTransport } from '../transport/transport.ts';

/** The groups whose photos show a number that is read as text. Of others only the codes are read. */
const groupsWithText: ReadonlySet<PhotoGroup | null> = new Set(['chassis', 'plate']);

/**
 * The chassis numbers and plates in the photos of reports, by content. They stay in the window's
 * memory.
 */
export const useVehicleMarksStore = defineStore('vehicleMarks', () => {
  const { client, files } = useTransport();
  const recognizer = useRecognizer();
  const readings = shallowReactive(new Map<string, PictureReading & { hasText: boolean }>());
  let wanted: { draftId: string; photos: readonly Attachment[] } | null = null;
  let isReading = false;

  const needsReading = ({ sha256, contentType, details }: Attachment) => {
    const known = readings.get(sha256);
    const isMissing = !known || (groupsWithText.has(details.group) && !known.hasText);
    return isMissing && isPictureType(contentType);
  };

  /** Reads the photos of a report one after the other. A later call replaces what is left. */
  async function look(draftId: string, photos: readonly Attachment[]): Promise<void> {
    wanted = { draftId, photos };
    if (isReading) return;
    isReading = true;
    let hasRead = false;
    /** The photos that could not be fetched. The next look tries them again. */
    const failed = new Set<string>();
    try {
      if (!(await client.scans.state()).isAllowed) return;
      for (;;) {
        const next = wanted.photos.find(
          (photo) => needsReading(photo) && !failed.has(photo.sha256),
        );
        if (!next) break;
        hasRead = true;
        // Nobody asked for it. Without it the photo is as usable as before.
        await read(wanted.draftId, next).catch(() => failed.add(next.sha256));
      }
    } catch {
      // If the engine does not answer, nothing is read. The photos are as usable as before.
    } finally {
      isReading = false;
      if (hasRead) recognizer.rest();
    }
  }

  async function read(draftId: string, { id, sha256, contentType, details }: Attachment) {
    const hasText = groupsWithText.has(details.group);
    const url = files.attachmentUrl(draftId, id);
    const found = await navigator.locks.request('recognition', async () =>
      recognizer.readPicture(await readWhole(url, { type: contentType }), hasText),
    );
    // A photo that cannot be read shows nothing, and is not read again.
    const reading = 'fault' in found ? { codes: [], lines: [] } : found;
    readings.set(sha256, { ...reading, hasText });
  }

  /** What a photo shows of a vehicle. */
  function findsOf({ sha256 }: Attachment, detail: CaseDetail | undefined): VehicleFind[] {
    const reading = readings.get(sha256);
    return reading && detail ? findVehicles(reading, vehiclesOf(detail.payload)) : [];
  }

  /** Whether a photo shows a number that no vehicle of the case has, although the case has one. */
  function showsOther(photo: Attachment, detail: CaseDetail | undefined): boolean {
    const known: KnownVehicles = vehiclesOf(detail?.payload ?? null);
    return findsOf(photo, detail).some(
      ({ kind, isOfCase }) => !isOfCase && known[kind === 'vin' ? 'vins' : 'plates'].length > 0,
    );
  }

  return { look, findsOf, showsOther };
});
