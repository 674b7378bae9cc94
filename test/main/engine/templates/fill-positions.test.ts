import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CaseDocument } from '#shared/desk/reports/documents.ts';
import type { Engine } from '#main/engine/engine.ts';
import { makeDocx, paragraph, textsOf } from '../../../support/word-documents.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { starter } = sharePractice();
let desk: Engine;
let caseId: string;
let estimate: CaseDocument;
let other: CaseDocument;

beforeEach(async () => {
  const home = join(testFolder(), 'home');
  desk = await openTestEngine({ home, vault: testKeychain(), practice: starter });
  await desk.sync.run({ documents: 'none' });
  const { items } = await desk.cases.list({ status: 'InProgress', category: 'vehicle' });
  for (const { id } of items) {
    const { items: documents } = await desk.documents.list({ id, refresh: true });
    const found = documents.find(({ fileName }) => fileName.startsWith('Kostenvoranschlag'));
    const report = documents.find(({ fileName }) => fileName.startsWith('Schadenanzeige'));
    if (!found || !report) continue;
    [caseId, estimate, other] = [id, found, report];
    return;
  }
  throw new Error('practice has no vehicle with an estimate');
});

/** What a template with these lines becomes for the case. */
async function filledWith(...lines: string[]): Promise<string> {
  const docx = makeDocx(lines.map((line) => paragraph(line)).join(''));
  const content = Readable.from([docx]);
  const { template } = await desk.files.addTemplate({ fileName: 'Positionen.docx', content });
  const { id: draftId } = await desk.reports.createDraft({ id: caseId });
  const draft = await desk.templates.fill({ draftId, templateId: template?.id ?? '' });
  const { stream } = await desk.files.openAttachment(draftId, draft.attachments[0]?.id ?? '');
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return textsOf(Buffer.concat(pieces)).join('|').replaceAll('\u00a0', ' ');
}
const row = '{#positions}{number}: {text} {amount} [{compared} {cut}]; {/positions}';

describe('the lines of an estimate in a report', () => {
  it('are those of the only document whose lines are known, and that is read when it is asked for', async () => {
    expect((await desk.documents.positions({ id: caseId })).items).toEqual([]);
    const known = await desk.documents.positions({ id: caseId, documentIds: [estimate.id] });
    expect(known.items).toHaveLength(1);
    expect(known).toMatchObject({
      isChosen: false,
      report: { first: { documentId: estimate.id } },
    });
    expect(known.items[0]?.estimate).toMatchObject({
      totalRappen: 560_225,
      taxRappen: null,
      positions: [{ number: '1', text: 'Drücken ohne Lackieren', rappen: 141_180 }, {}, {}, {}, {}],
    });
    const text = await filledWith(row, '{estimate.total} {positions | sum: amount | chf}');
    expect(text).toContain('1: Drücken ohne Lackieren CHF 1’411.80 [ ]; 2: Dachhaut');
    expect(text).toContain('CHF 5’602.25 CHF 5’602.25');
  });

  it('are those of the user’s choice, next to the document that it is compared with', async () => {
    await desk.documents.positions({ id: caseId, documentIds: [estimate.id] });
    const unknown = { id: caseId, documentId: estimate.id, against: other.id };
    await expect(desk.documents.choosePositions(unknown)).rejects.toMatchObject({
      code: 'positions_unknown',
    });
    const both = { id: caseId, documentId: estimate.id, against: estimate.id };
    expect(await desk.documents.choosePositions(both)).toMatchObject({ isChosen: true });
    const text = await filledWith(row, '{comparison.cuts} {comparison.assessed}');
    expect(text).toContain('1: Drücken ohne Lackieren CHF 1’411.80 [CHF 1’411.80 ];');
    expect(text).toContain('CHF 0.00 CHF 5’602.25');
    const none = { id: caseId, documentId: null };
    expect(await desk.documents.choosePositions(none)).toMatchObject({ isChosen: false });
  });

  it('are empty if no document has any', async () => {
    await desk.documents.positions({ id: caseId, documentIds: [other.id] });
    expect(await filledWith('{#hasPositions}Positionen{/hasPositions}.')).toBe('.');
  });
});
