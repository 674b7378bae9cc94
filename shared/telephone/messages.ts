import { z } from 'zod';
import { captionMax } from '../photos/caption-max.ts';
import { photoGroups } from '../photos/details.ts';
import { telephoneLimits } from './limits.ts';

const pictureId = z.string().regex(/^[0-9a-f]{32}$/);
/** The report of a picture, by the token of `Begun`: the desk refuses one for another report. */
const report = z.string().regex(/^[0-9a-f]{32}$/);
const marks = {
  report,
  group: z.enum(photoGroups).nullable(),
  caption: z.string().max(captionMax),
};

/** The pictures of the page that have not come whole to the desk. */
const waiting = z.int().min(0).max(10_000);

/** What the telephone's page sends, each sealed. */
export const telephoneMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('look'), waiting, isDone: z.boolean() }),
  z.strictObject({
    type: z.literal('announce'),
    id: pictureId,
    fileName: z.string().min(1).max(200),
    sizeBytes: z.int().min(1).max(telephoneLimits.pictureBytes),
    /** By the telephone's clock, if the picture itself has no time. */
    takenAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    ...marks,
    waiting,
  }),
  /** The bytes of the chunk follow the description. */
  z.strictObject({ type: z.literal('chunk'), id: pictureId, number: z.int().min(0).max(10_000) }),
  z.strictObject({ type: z.literal('mark'), id: pictureId, ...marks }),
]);
export type TelephoneMessage = z.infer<typeof telephoneMessageSchema>;
export type AnnouncedPicture = Extract<TelephoneMessage, { type: 'announce' }>;

/** The first message: a secret of this telephone, by which it is known after a reload. */
export const beginSchema = z.strictObject({ device: z.string().regex(/^[0-9a-f]{64}$/) });

/** The answer to the first message. There is nothing else of a case that a telephone gets. */
export interface Begun {
  readonly claim: string;
  /** A digest of the report's id. It is the same in each session of the same report. */
  readonly report: string;
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

/** Why the desk does not store a picture. The page names it, and the picture stays there. */
export type PictureFault = 'unusable';
/** Why the desk cannot store any picture now. The page tries again; `too_many` needs a new code. */
export type DeskFault = 'disk_full' | 'report_closed' | 'too_many' | 'failed';

/** What the desk answers, sealed. */
export type TelephoneAnswer =
  /** The chunk that comes next. */
  | { readonly type: 'next'; readonly number: number }
  /** The desk has nothing of this picture: it is to be announced. */
  | { readonly type: 'unknown' }
  /**
   * The picture has come whole and is being stored. Its next announcement is answered with the
   * outcome. Before that the telephone sends another picture.
   */
  | { readonly type: 'storing' }
  /** The picture is on the laptop's disk and in the report. */
  | { readonly type: 'stored' }
  | { readonly type: 'refused'; readonly fault: PictureFault }
  | { readonly type: 'later'; readonly fault: DeskFault }
  | { readonly type: 'seen' };
