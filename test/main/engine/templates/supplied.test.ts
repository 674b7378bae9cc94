import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Language, languages } from '#shared/i18n/language.ts';
import type { Engine } from '#main/engine/engine.ts';
import { checkTemplate } from '#main/engine/templates/docx/check-template.ts';
import { findOffice } from '#main/engine/templates/make-pdf.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { root } from '../../../support/processes.ts';
import { picturesOf, textsOf } from '../../../support/word-documents.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { starter } = sharePractice();
const folder = join(root, 'main/engine/templates/supplied');
const fixtures = join(root, 'main/service/practice/fixtures');
const categories = ['vehicle', 'appraiser', 'fraud', 'special'] as const;
/** Each template is checked; `npm test` fills one of each category, and one of each language. */
const smokeLanguages = { vehicle: 'de', appraiser: 'fr', fraud: 'it', special: 'en' } as const;
/** `TEMPLATE_PICTURES=FOLDER` writes the filled reports there, to be looked at. */
const pictures = process.env['TEMPLATE_PICTURES'];

const madeSchema = z.object({
  makeTemplates: z.custom<() => Promise<{ fileName: string; bytes: Uint8Array }[]>>(),
});

it('the templates that come with the desk are those that the script makes', async () => {
  const script: unknown = await import('../../../../scripts/lib/report-templates.mjs');
  const made = await madeSchema.parse(script).makeTemplates();
  expect(made.map(({ fileName }) => fileName).sort()).toEqual(readdirSync(folder).sort());
  for (const { fileName, bytes } of made)
    expect(Buffer.from(bytes).equals(readFileSync(join(folder, fileName))), fileName).toBe(true);
});

// The desk does not check them again at each look at the list.
it.each(readdirSync(folder))('%s has no faults', (fileName) => {
  expect(checkTemplate(readFileSync(join(folder, fileName))).findings).toEqual([]);
});

describe('a template that comes with the desk', () => {
  let desk: Engine;
  beforeEach(async () => {
    const home = join(testFolder(), 'home');
    desk = await openTestEngine({ home, vault: testKeychain(), practice: starter });
    await desk.sync.run({ documents: 'none' });
    await desk.templates.setAppraiser({
      name: 'Ada Muster',
      office: 'Muster Expertisen AG',
      address: 'Bahnhofstrasse 1, 8001 Zürich',
      phone: '044 123 45 67',
      email: 'ada@muster.example',
    });
  });

  it('is listed with the name of its language', async () => {
    const { items } = await desk.templates.list();
    const supplied = items.filter(({ source }) => source === 'desk');
    expect(supplied).toHaveLength(20);
    for (const { findings, problem, sizeBytes } of supplied) {
      expect({ findings, problem }).toEqual({ findings: [], problem: null });
      expect(sizeBytes).toBeGreaterThan(1000);
    }
    expect(
      supplied.find(({ language, category }) => language === 'fr' && category === 'vehicle')?.name,
    ).toBe('Expertise de véhicule');
  });

  async function draftWithPhotos(category: (typeof categories)[number]) {
    const { items } = await desk.cases.list({ category });
    const [found] = items;
    if (!found) throw new Error(`practice has no ${category} in progress`);
    const { id: draftId } = await desk.reports.createDraft({ id: found.id });
    const captions = ['Vorne links', 'Stossfänger vorne, Riss', 'Ganze Fassade'];
    for (const [at, name] of ['car-1.jpg', 'car-2.jpg', 'house.jpg'].entries()) {
      const content = Readable.from([readFileSync(join(fixtures, name))]);
      const { id } = await desk.files.addAttachment(draftId, { fileName: name, content });
      const details = { caption: captions[at] ?? '', group: 'damage' } as const;
      await desk.reports.updateAttachment({ draftId, attachmentId: id, details });
    }
    return { found, draftId, captions };
  }

  it.each(categories)('is filled with a case of its category: %s', async (category) => {
    const { found, draftId, captions } = await draftWithPhotos(category);
    for (const language of smokeOrLong<readonly Language[]>(
      [smokeLanguages[category]],
      languages,
    )) {
      const templateId = `desk:report.${category}.${language}.docx`;
      const { attachments } = await desk.templates.fill({ draftId, templateId });
      const [made] = attachments;
      if (!made) throw new Error('nothing was filled');
      const { stream } = await desk.files.openAttachment(draftId, made.id);
      const pieces: Buffer[] = [];
      for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        writeFileSync(join(pictures, `${category}.${language}.docx`), bytes);
      }
      const text = textsOf(bytes).join('\n');
      expect(text).toContain(found.externalKey);
      expect(text).toContain(found.partyName);
      expect(text).not.toMatch(/[{}]/);
      // In their order.
      expect(text.match(new RegExp(captions.join('|'), 'g'))).toEqual(captions);
      expect(picturesOf(bytes)).toHaveLength(3);
    }
  });

  const title = 'becomes a PDF by LibreOffice';
  if (findOffice() === null) it.skip(`${title}: LibreOffice is not installed`);
  else
    it(title, async () => {
      const { draftId } = await draftWithPhotos('vehicle');
      const templateId = 'desk:report.vehicle.de.docx';
      const { attachments } = await desk.templates.fill({ draftId, templateId });
      const making = desk.templates.makePdf({ draftId, attachmentId: attachments[0]?.id ?? '' });
      expect((await making).attachments[1]?.contentType).toBe('application/pdf');
    });
});
