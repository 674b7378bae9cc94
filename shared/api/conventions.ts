import { z } from 'zod';
import { toNormalForm } from '../lib/normal-form.ts';

/** The page envelope of every list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    Total: z.int().nonnegative(),
    Page: z.int().positive(),
    Size: z.int().positive(),
    Items: z.array(item),
  });
}

export interface Page<Item> {
  Total: number;
  Page: number;
  Size: number;
  Items: Item[];
}

/** An ISO 8601 moment. If it has no zone, it is UTC. */
export const dateTimeSchema = z.iso
  .datetime({ offset: true, local: true })
  .meta({ format: 'date-time' });

/** A moment as the API writes it: UTC with milliseconds and a trailing Z (decisions, "Lists"). */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/**
 * An id as a client accepts it: any string of up to 100 printable characters, because servers
 * create more kinds of ids than RFC 9562 has (decisions, "Lists"). `.` and `..` are refused,
 * because they cannot stand in a path (WHATWG URL, "path state").
 */
export const opaqueIdSchema = z.string().regex(/^(?!\.{1,2}$)[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u);

/**
 * Whether an id stays one part of a path behind any server. Some servers decode a path twice before
 * they pass it on, cut off parameters (`;`), or replace look-alikes (full width) by the character
 * itself.
 */
export function isSafeInPath(id: string): boolean {
  const plain = toNormalForm(id, 'NFKC');
  return !/[/\\%?#;\p{Cc}]/u.test(plain) && !/^\.*$/.test(plain.trim());
}

const guid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** An id in the form in which it is compared. Upper and lower case differ, except in a GUID. */
export const comparedId = (id: string): string => (guid.test(id) ? id.toLowerCase() : id);

/** Whether two ids name the same record. */
export const isSameId = (a: string, b: string): boolean =>
  a === b || comparedId(a) === comparedId(b);

/** Whether one of the ids names the record. */
export const hasId = (ids: readonly string[], id: string): boolean =>
  ids.some((one) => isSameId(one, id));

/** The form of a parameter name of the partner API. */
export const parameterName = /^[A-Za-z0-9_.$-]{1,100}$/;
