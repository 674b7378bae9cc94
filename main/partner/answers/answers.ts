import { createHash } from 'node:crypto';
import { z } from 'zod';
import { opaqueIdSchema as id } from '#shared/api/conventions.ts';
import type { OperationId } from '#shared/api/routes.ts';
import { sentFields, valuesOf } from '#shared/desk/cases/case-fields.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';

/**
 * The schemas of the partner's answers. They are as tolerant as possible without guessing: unknown
 * members are ignored, and members that do not identify a record may be null or absent.
 */

/**
 * The most characters of a name, a key or a comment; the specification has 4,000 at most. A record
 * with a longer text is reported as unreadable, because each list and index would have to carry the
 * text.
 */
const textMaxLength = 50_000;
const text = z
  .string()
  .max(textMaxLength)
  .nullish()
  .transform((value) => value ?? '');
/** A payload of any length is accepted here; the code that reads it has separate limits. */
const payloadText = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const dateTime = z
  .string()
  .refine((value) => !Number.isNaN(Date.parse(value)), 'is no date-time')
  .nullish()
  .transform((value) => value ?? null);
const count = z.int().nonnegative();

/** Converts CHF to whole Rappen. A double may differ from the decimal in its last digits. */
const amount = z
  .number()
  .nullish()
  .transform((chf, context) => {
    if (chf === null || chf === undefined) return null;
    const rappen = Math.round(chf * 100);
    if (Number.isSafeInteger(rappen)) return rappen;
    context.issues.push({ code: 'custom', message: 'is no amount', input: chf });
    return z.NEVER;
  });

const contact = z
  .object({
    Name: text,
    Responsible: z.object({ Name: text, Email: text, Phone: text }).nullish(),
  })
  .nullish()
  .transform((value) => ({
    name: value?.Name ?? '',
    responsible: {
      name: value?.Responsible?.Name ?? '',
      email: value?.Responsible?.Email ?? '',
      phone: value?.Responsible?.Phone ?? '',
    },
  }));

const kinds = { text, flag, amount };
const sentShape = Object.fromEntries(
  Object.values(sentFields).map(({ sent, kind }) => [sent, kinds[kind]]),
);

export const caseAnswer = z
  .object({
    ...sentShape,
    Id: id,
    CreatedAt: dateTime,
    UpdatedAt: dateTime,
    LastChangedAt: dateTime,
    PayloadJson: payloadText,
    Insurer: contact,
  })
  .transform((found, context) => {
    // The cursor of the sync needs a time, so other times of the case replace a missing one.
    const lastChangedAt = found.LastChangedAt ?? found.UpdatedAt ?? found.CreatedAt;
    if (lastChangedAt === null) {
      context.issues.push({ code: 'custom', message: 'LastChangedAt is missing', input: null });
      return z.NEVER;
    }
    const createdAt = found.CreatedAt ?? lastChangedAt;
    const sentValues: Readonly<Record<string, unknown>> = found;
    return {
      ...valuesOf(sentFields, ({ sent }) => sentValues[sent]),
      id: found.Id,
      createdAt,
      updatedAt: found.UpdatedAt ?? createdAt,
      lastChangedAt,
      payloadJson: found.PayloadJson,
      insurer: found.Insurer,
    };
  });

/**
 * A case as the client returns it. Amounts are in whole Rappen, null if not entered; timestamps are
 * as the server wrote them.
 */
export type ClientCase = z.output<typeof caseAnswer>;

const documentFields = {
  Id: id,
  FileName: text,
  ContentType: text,
  SizeBytes: count.nullish(),
  CreatedAt: dateTime,
};
const documentObject = z.object(documentFields);

function clientDocument(found: z.infer<typeof documentObject>) {
  return {
    id: found.Id,
    fileName: found.FileName,
    contentType: found.ContentType,
    // The size is 0 if the server does not send it, because no document is empty.
    sizeBytes: found.SizeBytes ?? 0,
    createdAt: found.CreatedAt ?? '',
  };
}

export const documentAnswer = documentObject.transform(clientDocument);
export type ClientDocument = z.output<typeof documentAnswer>;

/** The answer of X7. The scanner has replaced the content by the number of the captured content. */
export const documentContentAnswer = z
  .object({ ...documentFields, ContentBase64: count })
  .transform((found) => ({ document: clientDocument(found), content: found.ContentBase64 }));

/**
 * The answer of X13. A member that the answer lacks is null, because the others are compared with
 * the request.
 */
export const uploadAnswer = z
  .object({
    Id: id,
    SubmissionId: id.nullish(),
    ClaimId: id.nullish(),
    FileName: z.string().nullish(),
    SizeBytes: count.nullish(),
    IsSalvageSale: z.boolean().nullish(),
  })
  .transform((found) => ({
    id: found.Id,
    submissionId: found.SubmissionId ?? null,
    caseId: found.ClaimId ?? null,
    fileName: found.FileName ?? null,
    sizeBytes: found.SizeBytes ?? null,
    isSalvageSale: found.IsSalvageSale ?? null,
  }));
export type ClientUpload = z.output<typeof uploadAnswer>;

const absent = () => undefined;
/**
 * The answer of X3, X4 and X5: the values of the case, or nothing. An absent value is undefined.
 */
export const echoAnswer = z
  .object({
    Id: z.string().optional().catch(absent),
    Status: z.string().optional().catch(absent),
    ExpertComment: z.string().optional().catch(absent),
    CostEstimateAmount: amount.optional().catch(absent),
    ApprovedAmount: amount.optional().catch(absent),
  })
  .transform((found) => ({
    id: found.Id,
    status: found.Status,
    comment: found.ExpertComment,
    costEstimateRappen: found.CostEstimateAmount,
    approvedRappen: found.ApprovedAmount,
  }));
export type ClientEcho = z.output<typeof echoAnswer>;

const submissionDocumentFields = { ...documentFields, SubmissionId: id, IsSalvageSale: flag };
const submissionDocumentObject = z.object(submissionDocumentFields);
const clientSubmissionDocument = (found: z.infer<typeof submissionDocumentObject>) => ({
  ...clientDocument(found),
  submissionId: found.SubmissionId,
  isSalvageSale: found.IsSalvageSale,
});

/** An item of X12 without its content, which a partner may leave out. */
export const submissionDocumentHead = submissionDocumentObject.transform(clientSubmissionDocument);

/** An item of X12 with its `content` as in X7. */
export const submissionDocumentAnswer = z
  .object({ ...submissionDocumentFields, ContentBase64: count })
  .transform((found) => ({
    document: clientSubmissionDocument(found),
    content: found.ContentBase64,
  }));

/** An item of X12. Its content is reduced to size and SHA-256 (hex) while it is streamed. */
export type ClientSubmissionDocument = z.output<typeof submissionDocumentAnswer>['document'] & {
  sha256: string;
};

export const submissionAnswer = z
  .object({
    Id: id,
    ClaimId: id,
    SequenceNo: count,
    RevisionNo: count.nullish(),
    Status: z.string().max(textMaxLength),
    Comment: text,
    SubmittedAt: dateTime,
    CreatedAt: dateTime,
    UpdatedAt: dateTime,
  })
  .transform((found) => ({
    id: found.Id,
    caseId: found.ClaimId,
    sequenceNo: found.SequenceNo,
    // Only items of the list (X10) have this number.
    revisionNo: found.RevisionNo ?? 1,
    status: found.Status,
    comment: found.Comment,
    submittedAt: found.SubmittedAt,
    createdAt: found.CreatedAt ?? '',
    updatedAt: found.UpdatedAt ?? found.CreatedAt ?? '',
  }));

export type ClientSubmission = z.output<typeof submissionAnswer>;

/** The reason why a list could not be read completely. */
export const incompleteSchema = z.object({
  reason: z.enum(['repeats', 'endless', 'missing', 'changing']),
  seen: z.int(),
  total: z.int(),
});
export type Incomplete = Readonly<z.infer<typeof incompleteSchema>>;

export interface ClientPage<Item> {
  readonly total: number;
  /** The page size that the server states; null if it states none. */
  readonly size: number | null;
  /** A gateway states here that its copy of the partner's list is incomplete (docs/gateway.md). */
  readonly incomplete?: Incomplete;
  readonly items: readonly Item[];
}

/**
 * The page envelope. Total and Items are required, because without them a list would seem to end
 * too early. Null is an empty page (the schema of some servers allows it).
 */
export function pageAnswer<Item extends z.ZodType>(item: Item) {
  return z
    .object({
      Total: count,
      Page: z.int().positive().nullish(),
      Size: z.int().positive().nullish(),
      Incomplete: incompleteSchema.nullish().catch(null),
      Items: z
        .array(item)
        .nullable()
        .transform((items) => items ?? []),
    })
    .transform((found): ClientPage<z.output<Item>> => ({
      total: found.Total,
      size: found.Size ?? null,
      ...(found.Incomplete && { incomplete: found.Incomplete }),
      items: found.Items,
    }));
}

/** An item that does not match the schema. */
export interface UnreadableItem {
  /** The item's Id; if it cannot be read, a digest of the item. */
  readonly id: string;
  /** The path of the first fault. */
  readonly place: string;
  /** The unchanged item as JSON; null if it is too long or cannot be written. */
  readonly json: string | null;
}

/** A page that may contain unreadable items. The others can still be read. */
export interface TolerantPage<Item> extends ClientPage<Item> {
  readonly unreadable: readonly UnreadableItem[];
}

/**
 * A page whose readable items are used. A caller that concludes something from a missing item must
 * call `assertReadable`: a lookup before a repeated request must not overlook an unreadable item.
 */
export function tolerantPageAnswer<Item extends z.ZodType>(item: Item) {
  return pageAnswer(z.unknown()).transform((page): TolerantPage<z.output<Item>> => {
    const items: z.output<Item>[] = [];
    const unreadable: UnreadableItem[] = [];
    for (const value of page.items) {
      const parsed = item.safeParse(value);
      if (parsed.success) items.push(parsed.data);
      else unreadable.push(unreadableItem(value, parsed.error));
    }
    return { ...page, items, unreadable };
  });
}

/**
 * Checks that all items of these pages were readable.
 * @throws {DeskError} answer_invalid if one was not
 */
export function assertReadable(
  operation: OperationId,
  unreadable: readonly UnreadableItem[],
): void {
  const [first] = unreadable;
  if (first) throw new DeskError('answer_invalid', { operation, detail: first.place });
}

const identified = z.object({ Id: id });

export function unreadableItem(value: unknown, error: z.ZodError): UnreadableItem {
  const json = jsonOf(value);
  const known = identified.safeParse(value);
  return {
    id: known.success ? known.data.Id : `#${hashOf(json ?? '')}`,
    place: error.issues[0]?.path.join('.') ?? '',
    json,
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The most characters of an unreadable item that are stored. */
const storedMaxLength = 1_000_000;

function jsonOf(value: unknown): string | null {
  try {
    const json = JSON.stringify(value);
    return json.length > storedMaxLength ? null : json;
  } catch {
    // The item is nested deeper than the call stack allows.
    return null;
  }
}

/** The number of items on a page, including the unreadable ones. */
export function countOf(page: ClientPage<unknown> & { unreadable?: readonly unknown[] }): number {
  return page.items.length + (page.unreadable?.length ?? 0);
}

const seconds = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]);

/** The token answer of RFC 6749 section 5.1. */
export const tokenAnswer = z
  .object({
    // The token must fit into a header (RFC 9110 section 5.5), and servers limit the size of
    // headers.
    access_token: z
      .string()
      .max(16_384)
      .regex(/^[\x21-\x7e]+$/),
    expires_in: seconds.nullish().catch(null),
  })
  .transform((found) => ({ value: found.access_token, expiresInS: found.expires_in ?? null }));
