import { wordFor } from '../i18n/catalogue.ts';
import { formatChf, formatDay } from '../i18n/format.ts';
import type { Language } from '../i18n/language.ts';
import { categories } from '../api/case-words.ts';
import {
  payloadSections,
  type FieldKind,
  type PayloadField,
  type PayloadSection,
  type SectionId,
} from './fields.ts';
import { isPayloadObject, type PayloadObject } from './parse-payload.ts';

/**
 * One line that the user reads. In `unexpected` the value has another shape than the category
 * defines.
 */
export interface PayloadLine {
  readonly key: string;
  readonly kind: FieldKind | 'unexpected';
  readonly text: string;
  /** The currency, if the line is an amount. */
  readonly currency?: string;
}

export interface PayloadBlock {
  readonly id: SectionId;
  /** The position in a list of persons, from 1; null in an ordinary section. */
  readonly item: number | null;
  readonly lines: readonly PayloadLine[];
}

export interface PayloadView {
  readonly blocks: readonly PayloadBlock[];
  /** The members that the category does not describe, by dotted path. */
  readonly others: readonly { readonly path: string; readonly text: string }[];
}

const othersMax = 200;
const othersDepth = 6;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function at(root: unknown, path: string): unknown {
  let value = root;
  for (const member of path.split('.')) {
    if (!isPayloadObject(value) || !Object.hasOwn(value, member)) return undefined;
    value = value[member];
  }
  return value;
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  try {
    return JSON.stringify(value);
  } catch {
    // The value is nested deeper than the call stack allows.
    return '…';
  }
}

/** The line of a described member; null if the payload does not have the member. */
export function lineOf(field: PayloadField, root: unknown): PayloadLine | null {
  const values = field.paths.map((path) => at(root, path));
  if (field.kind === 'amount') return amountLine(field, values);
  const present = values.filter((value) => !isEmpty(value));
  if (present.length === 0) return null;
  if (present.some((value) => typeof value === 'object'))
    return { key: field.key, kind: 'unexpected', text: present.map(plain).join(' ') };
  if (field.kind === 'address') {
    const [street, postalCode, city, country] = values.map((value) =>
      isEmpty(value) ? '' : plain(value),
    );
    const text = [street, `${postalCode ?? ''} ${city ?? ''}`.trim(), country];
    return { key: field.key, kind: 'address', text: text.filter(Boolean).join(', ') };
  }
  const text = present.map(plain).join(' ');
  // The excess is free text, but most insurers write only an amount. All amounts of an excess are
  // in francs.
  if (field.key === 'deductible' && /^\d+(\.\d{1,2})?$/.test(text))
    return { key: field.key, kind: 'amount', text, currency: 'CHF' };
  return { key: field.key, kind: field.kind, text };
}

/** The text of a line as the user reads it. */
export function textOfLine(
  { kind, key, text, currency = '' }: PayloadLine,
  language: Language,
): string {
  if (kind === 'date') return formatDay(text);
  if (kind === 'amount') return formatChf(Number(text), language).replace('CHF', currency).trim();
  if (kind === 'enum' || key === 'claimType') return wordFor(language, 'values', text);
  return text;
}

function amountLine(field: PayloadField, [amount, currency]: unknown[]): PayloadLine | null {
  if (isEmpty(amount)) return null;
  const expected =
    (typeof amount === 'number' && amount >= 0) ||
    (typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount.trim()));
  return {
    key: field.key,
    kind: expected ? 'amount' : 'unexpected',
    text: plain(amount),
    currency: typeof currency === 'string' ? currency.trim() : '',
  };
}

function block(section: PayloadSection, root: unknown, item: number | null): PayloadBlock | null {
  const lines = section.fields.flatMap((field) => lineOf(field, root) ?? []);
  return lines.length > 0 ? { id: section.id, item, lines } : null;
}

/**
 * The description of a category as a tree: members by name, the item of a list, or a value that is
 * shown.
 */
interface Described {
  readonly members: Map<string, Described>;
  item: Described | null;
  shown: boolean;
}

const undescribed = (): Described => ({ members: new Map(), item: null, shown: false });

function within(parent: Described, path: string): Described {
  let node = parent;
  for (const member of path.split('.')) {
    const next = node.members.get(member) ?? undescribed();
    node.members.set(member, next);
    node = next;
  }
  return node;
}

function describe(sections: readonly PayloadSection[]): Described {
  const root = undescribed();
  for (const { list, fields } of sections) {
    let owner = root;
    if (list !== undefined) {
      const array = within(root, list);
      owner = array.item ??= undescribed();
    }
    for (const path of fields.flatMap(({ paths }) => paths)) within(owner, path).shown = true;
  }
  return root;
}

/**
 * A payload as sections to read, for any content. Described members are in the category's order,
 * empty members are left out, and every other member is listed under its path.
 * @param category as the server sent it; an unknown one describes nothing
 * @param payload any JSON object
 */
export function viewPayload(category: string, payload: PayloadObject): PayloadView {
  const known = categories.find((name) => name === category);
  const sections = known ? payloadSections[known] : [];
  const blocks = sections.flatMap((section): PayloadBlock[] => {
    if (section.list === undefined) return [block(section, payload, null) ?? []].flat();
    const items = at(payload, section.list);
    if (!Array.isArray(items)) return [];
    return items.flatMap((entry: unknown, index) => block(section, entry, index + 1) ?? []);
  });
  return { blocks, others: findOthers(payload, describe(sections)) };
}

function findOthers(payload: PayloadObject, root: Described): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];

  function walk(value: unknown, path: string, known: Described | undefined, depth: number): void {
    if (found.length >= othersMax || isEmpty(value) || known?.shown === true) return;
    if (isPayloadObject(value) && depth < othersDepth) {
      for (const [member, inner] of Object.entries(value))
        walk(
          inner,
          path === '' ? member : `${path}.${member}`,
          known?.members.get(member),
          depth + 1,
        );
    } else if (Array.isArray(value) && known?.item) {
      for (const [index, inner] of value.entries())
        walk(inner, `${path}[${index + 1}]`, known.item, depth + 1);
    } else {
      found.push({ path, text: plain(value) });
    }
  }

  walk(payload, '', root, 0);
  return found;
}
