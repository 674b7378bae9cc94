import type { RemovedThing, TemplateFinding } from '#shared/desk/reports/templates.ts';
import type { Flaw } from './flaws.ts';
import { fillTemplate } from './fill-template.ts';
import type { UsedField } from './pair-tags.ts';
import { findingOf, type PlacedFinding, type ReadTemplate, readTemplate } from './read-template.ts';
import type { Room } from './room.ts';
import { trialData, trialEntries } from './trial-data.ts';
import { verifyFilled } from './verify-docx.ts';

/** What a template contains, and what is wrong with it. */
export interface DocxContent {
  readonly findings: TemplateFinding[];
  /** Fields by name and list, each once. */
  readonly used: readonly UsedField[];
  readonly removed: readonly RemovedThing[];
  /** The widest and highest place of a picture, in twips; null if it has none. */
  readonly pictureRoom: Pick<Room, 'width' | 'height'> | null;
}

/**
 * Reads a template, and fills it with nothing, one and two of everything: what came out is looked at.
 * @throws {DocxRefusal}
 */
export function checkTemplate(bytes: Uint8Array): DocxContent {
  const { read, faults } = findFaults(bytes);
  const { used, removed, pictureRoom } = read;
  return {
    findings: faults.map(({ finding }) => finding),
    used,
    removed: [...removed],
    pictureRoom,
  };
}

/** A template as it was read, with its faults: those of reading it, else those of the trial. */
export function findFaults(bytes: Uint8Array): {
  read: ReadTemplate;
  faults: readonly PlacedFinding[];
} {
  const read = readTemplate(bytes);
  if (read.findings.length > 0) return { read, faults: read.findings };
  return { read, faults: tryOut(bytes).map((flaw) => findingOfFlaw(read, flaw)) };
}

function tryOut(bytes: Uint8Array): Flaw[] {
  for (const entries of trialEntries) {
    // Filling uses a template up.
    const template = readTemplate(bytes);
    const tags = new Set(template.parts.flatMap((part) => part.tags.map(({ raw }) => raw)));
    const flaws = verifyFilled(fillTemplate(template, trialData(entries)), bytes, tags);
    if (flaws.length > 0) return flaws.slice(0, 5);
  }
  return [];
}

/** At the tag that was left, if it is one. */
function findingOfFlaw({ parts }: ReadTemplate, { rule, what }: Flaw): PlacedFinding {
  const found = parts.flatMap((part) =>
    part.tags
      .filter(({ raw }) => rule === 'left' && raw === what)
      .map(({ node }) => ({ part, node })),
  )[0];
  const reason = rule === 'left' ? 'left' : rule.startsWith('picture') ? 'pictures' : 'structure';
  return findingOf('unfillable', found?.part.kind ?? 'document', {
    raw: rule === 'left' ? what : '',
    node: found?.node ?? null,
    reason,
  });
}
