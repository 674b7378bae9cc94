import { randomBytes } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentMaxBytes } from '#shared/api/limits.ts';
import type { DocumentTaker } from '#shared/desk/reports/documents.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Engine } from '#main/engine/engine.ts';
import { systemClock } from '#main/shell/system.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { protectedPdf } from '../../../support/pdf-files.ts';
import { makePdf } from '../../../support/sample-files.ts';
import { makeDocx, paragraph, textsOf } from '../../../support/word-documents.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { starter } = sharePractice();
const vault = testKeychain();
let home: string;
let desk: Engine;
let draftId: string;
let attachmentId: string;
let templateId: string;
let given: string[];
const takesIt = (path: string, to: DocumentTaker) => {
  if (to === 'program') given.push(path);
  return Promise.resolve(true);
};
/** Looks at the open documents twenty times in a second, instead of once. */
const clock: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(ms === 1000 ? 50 : ms, run),
};
const open = (handOver = takesIt) =>
  openTestEngine({ home, vault, clock, practice: starter, handOver });

beforeEach(async () => {
  home = join(testFolder(), 'home');
  given = [];
  desk = await open();
  await desk.sync.run({ documents: 'none' });
  const { items } = await desk.cases.list({ status: 'InProgress' });
  draftId = (await desk.reports.createDraft({ id: items[0]?.id ?? '' })).id;
  const content = Readable.from([makeDocx(paragraph('{case.key}'))]);
  const { template } = await desk.files.addTemplate({ fileName: 'B.docx', content });
  templateId = template?.id ?? '';
  const draft = await desk.templates.fill({ draftId, templateId });
  attachmentId = draft.attachments[0]?.id ?? '';
});

/** Gives the document to the program; the path of its copy. */
async function openCopy(): Promise<string> {
  await desk.templates.open({ draftId, attachmentId });
  const path = given.at(-1);
  if (path === undefined) throw new Error('no program was asked');
  return path;
}
const saved = (text: string) => makeDocx(paragraph(text));

/** The draft, once it is as it is waited for. */
async function whenDraft(
  isSo: (draft: ReportDraft) => boolean,
  id = draftId,
): Promise<ReportDraft> {
  const ended = new AbortController();
  const events = desk.events(ended.signal)[Symbol.asyncIterator]();
  try {
    while ((await events.next()).done !== true) {
      const draft = await desk.reports.getDraft({ draftId: id });
      if (isSo(draft)) return draft;
    }
  } finally {
    ended.abort();
  }
  throw new Error('the desk has ended');
}
async function textOf(id: string, of = attachmentId): Promise<string> {
  const { stream } = await desk.files.openAttachment(id, of);
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return textsOf(Buffer.concat(pieces)).join('');
}
const pdfOf = (path: string) => path.replace(/docx$/, 'pdf');
/** How a document begins that Word saved with a password. */
const withPassword = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)]);
const makers = {
  office_protected: () => withPassword,
  file_too_large: () =>
    makeDocx(paragraph('large'), { more: { 'word/media/a.bin': randomBytes(documentMaxBytes) } }),
};
/** Reasons for which a document is not taken back. To pack 50 MB of random bytes takes seconds. */
const refused = smokeOrLong<readonly (keyof typeof makers)[]>(
  ['office_protected'],
  ['office_protected', 'file_too_large'],
);
/** Resolves once the open document has such a problem, or none. */
async function whenOpened(isSo: (problem: DeskProblem | null) => boolean): Promise<void> {
  const ended = new AbortController();
  const events = desk.events(ended.signal)[Symbol.asyncIterator]();
  while ((await events.next()).done !== true) {
    const { items } = await desk.templates.opened({ draftId });
    if (items.some(({ problem }) => isSo(problem))) break;
  }
  ended.abort();
}
const wasSaved = ({ attachments }: ReportDraft) =>
  attachments.some(({ details }) => typeof details.filled?.savedAt === 'string');

describe('a document that is open in a program', () => {
  it('lies in a folder of its owner alone, under its name, and is removed at the end', async () => {
    const path = await openCopy();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(await openCopy()).toBe(path);
    await desk.close();
    expect(readdirSync(join(home, 'opened-reports'))).toEqual([]);
  });

  it('is taken back each time it is saved, also if the program replaces the file', async () => {
    const path = await openCopy();
    writeFileSync(path, saved('first'));
    const first = await whenDraft(wasSaved);
    expect(first.attachments).toHaveLength(1);
    expect(first.attachments[0]?.details.filled?.savedAt).toBe(statSync(path).mtime.toISOString());
    expect(await textOf(draftId)).toBe('first');
    writeFileSync(`${path}.tmp`, saved('second'));
    rmSync(path);
    renameSync(`${path}.tmp`, path);
    const before = first.attachments[0]?.sha256;
    await whenDraft(({ attachments }) => attachments[0]?.sha256 !== before);
    expect(await textOf(draftId)).toBe('second');
  });

  it('is not taken while it is half written', async () => {
    const path = await openCopy();
    const whole = saved('whole');
    writeFileSync(path, whole.slice(0, -30));
    const pdf = join(dirname(path), 'B.pdf');
    writeFileSync(pdf, await makePdf('exported'));
    // The look that takes the PDF has met the document before.
    await whenDraft(({ attachments }) => attachments.length === 2);
    expect(wasSaved(await desk.reports.getDraft({ draftId }))).toBe(false);
    writeFileSync(path, whole);
    await whenDraft(wasSaved);
    expect(await textOf(draftId)).toBe('whole');
  });

  it('has the PDF that is exported next to it taken in, which is then sent', async () => {
    const path = await openCopy();
    writeFileSync(path.replace(/docx$/, 'pdf'), await makePdf('exported'));
    const { attachments } = await whenDraft((draft) => draft.attachments.length === 2);
    expect(attachments).toMatchObject([
      { details: { isWithheld: true } },
      { contentType: 'application/pdf', details: { pdfOf: { attachmentId } } },
    ]);
  });

  it('has a PDF that was exported with a password named as that', async () => {
    const path = await openCopy();
    writeFileSync(path.replace(/docx$/, 'pdf'), await protectedPdf('geheim'));
    const { attachments } = await whenDraft((draft) => draft.attachments.length === 2);
    expect(attachments[1]?.details).toMatchObject({ isProtected: true, pdfOf: { attachmentId } });
  });

  it('and was refilled since does not overwrite that: what is saved stands next to it', async () => {
    const path = await openCopy();
    writeFileSync(join(dirname(path), '~$B.docx'), 'of Word');
    const input = { draftId, templateId, replaces: attachmentId };
    await expect(desk.templates.fill(input)).rejects.toMatchObject({ code: 'document_open' });
    await desk.cases.setComment({
      id: (await desk.reports.getDraft({ draftId })).caseId,
      text: 'x',
    });
    const other = await desk.files.addTemplate({
      fileName: 'C.docx',
      content: Readable.from([saved('refilled')]),
    });
    const refill = { ...input, templateId: other.template?.id ?? '', isConfirmed: true };
    await desk.templates.fill(refill);
    writeFileSync(path, saved('from Word'));
    const { attachments } = await whenDraft((draft) => draft.attachments.length === 2);
    const [added] = attachments;
    expect(await textOf(draftId)).toBe('refilled');
    expect(await textOf(draftId, added?.id)).toBe('from Word');
    expect(added?.fileName).toMatch(/ 2\.docx$/);
  });

  it('and whose report is on its way is taken into a new draft', async () => {
    const path = await openCopy();
    const { caseId } = await desk.reports.getDraft({ draftId });
    await desk.reports.submitDraft({ draftId });
    writeFileSync(path, saved('late'));
    const ended = new AbortController();
    const events = desk.events(ended.signal)[Symbol.asyncIterator]();
    while ((await events.next()).done !== true) {
      const { items } = await desk.reports.drafts();
      const late = items.find((one) => one.caseId === caseId && one.queueId === null);
      if (!late) continue;
      expect(await textOf(late.id, late.attachments[0]?.id)).toBe('late');
      break;
    }
    ended.abort();
  });

  it('is taken back by the next start if the desk was killed before', async () => {
    const path = await openCopy();
    // As the disk is behind a kill: the copy and its note are there, and nobody has looked.
    const place = join(home, 'opened-reports');
    const asKilled = join(home, '..', 'as-killed');
    renameSync(place, asKilled);
    await desk.close();
    rmSync(place, { recursive: true, force: true });
    renameSync(asKilled, place);
    writeFileSync(path, saved('before the kill'));
    desk = await open();
    await whenDraft(wasSaved);
    expect(await textOf(draftId)).toBe('before the kill');
    await desk.close();
    expect(readdirSync(place)).toEqual([]);
  });

  it('is taken back at the end, without waiting for the next look', async () => {
    const path = await openCopy();
    writeFileSync(path, saved('last'));
    await desk.close();
    expect(existsSync(path)).toBe(false);
    desk = await open();
    expect(await textOf(draftId)).toBe('last');
  });

  it.each(refused)(
    'and cannot be taken back (%s) stays named after something else is taken, and stays at the end',
    async (code) => {
      const path = await openCopy();
      writeFileSync(path, makers[code]());
      await whenOpened((problem) => problem?.code === code);
      writeFileSync(pdfOf(path), await makePdf('exported'));
      await whenDraft(({ attachments }) => attachments.length === 2);
      expect((await desk.templates.opened({ draftId })).items).toMatchObject([
        { problem: { code } },
      ]);
      await desk.close();
      expect(existsSync(path)).toBe(true);
    },
  );

  it('has another file of its folder taken in next to it, or named and not removed', async () => {
    const path = await openCopy();
    const [annex, odt] = [join(dirname(path), 'Annex.pdf'), path.replace(/docx$/, 'odt')];
    writeFileSync(pdfOf(path), await makePdf('exported'));
    await whenDraft(({ attachments }) => attachments.length === 2);
    writeFileSync(annex, await makePdf('annex'));
    const { attachments } = await whenDraft((draft) => draft.attachments.length === 3);
    expect(attachments.map(({ details }) => details.pdfOf?.attachmentId ?? null)).toEqual([
      null,
      attachmentId,
      null,
    ]);
    expect(attachments[2]?.fileName).toBe('Annex.pdf');
    writeFileSync(odt, 'saved as another kind');
    await desk.close();
    expect(existsSync(odt)).toBe(true);
  });

  it('saved as another file is one more file, however often it is saved there', async () => {
    const path = await openCopy();
    const other = join(dirname(path), 'Other.docx');
    writeFileSync(other, saved('one'));
    await whenDraft((draft) => draft.attachments.length === 2);
    const before = (await desk.reports.getDraft({ draftId })).attachments[1];
    for (const text of ['two', 'three']) {
      const last = (await desk.reports.getDraft({ draftId })).attachments[1]?.sha256;
      writeFileSync(other, saved(text));
      await whenDraft(({ attachments }) => attachments[1]?.sha256 !== last);
    }
    const { attachments } = await desk.reports.getDraft({ draftId });
    expect(attachments.map(({ id }) => id)).toEqual([attachmentId, before?.id]);
    expect(await textOf(draftId, before?.id)).toBe('three');
  });

  it('and saved with a password is named as that, and so is one whose end never comes', async () => {
    const path = await openCopy();
    writeFileSync(path, withPassword);
    await whenOpened((problem) => problem?.code === 'office_protected');
    writeFileSync(path, saved('cut').slice(0, -30));
    await whenOpened((problem) => problem?.code === 'file_changing');
    writeFileSync(path, saved('whole'));
    await whenDraft(wasSaved);
    expect(await textOf(draftId)).toBe('whole');
  });

  it('is given out again if its copy was deleted', async () => {
    const path = await openCopy();
    rmSync(path);
    expect(await openCopy()).toBe(path);
    expect(textsOf(readFileSync(path)).join('')).not.toBe('');
    rmSync(dirname(path), { recursive: true });
    expect(existsSync(await openCopy())).toBe(true);
  });

  it('has the backup copies of Word neither taken nor named, and leaves nothing of them', async () => {
    const path = await openCopy();
    const names = ['Backup of B.wbk', 'AutoRecovery save of B.asd'];
    for (const name of names) writeFileSync(join(dirname(path), name), 'x');
    writeFileSync(path, saved('text'));
    await whenDraft(wasSaved);
    expect((await desk.templates.opened({ draftId })).items).toMatchObject([{ problem: null }]);
    await desk.close();
    expect(readdirSync(join(home, 'opened-reports'))).toEqual([]);
  });

  it('retains the marks of its PDF when that is exported again, and tells an older one', async () => {
    const path = await openCopy();
    writeFileSync(pdfOf(path), await makePdf('exported'));
    const { attachments } = await whenDraft((draft) => draft.attachments.length === 2);
    const pdf = attachments[1];
    const marks = { isSalvageSale: true, details: { caption: 'seen' } };
    await desk.reports.updateAttachment({ draftId, attachmentId: pdf?.id ?? '', ...marks });
    writeFileSync(pdfOf(path), await makePdf('exported again'));
    utimesSync(pdfOf(path), new Date(0), new Date(0));
    const after = await whenDraft((draft) => draft.attachments[1]?.sha256 !== pdf?.sha256);
    expect(after.attachments[1]).toMatchObject({
      isSalvageSale: true,
      details: { caption: 'seen', pdfOf: { attachmentId, sha256: '' } },
    });
  });

  it('stays for the program that has it open at the end, and is taken back by the next start', async () => {
    const path = await openCopy();
    const lock = join(dirname(path), '~$B.docx');
    writeFileSync(lock, 'of Word');
    await desk.close();
    rmSync(lock);
    writeFileSync(path, saved('after the end'));
    desk = await open();
    await whenDraft(wasSaved);
    expect(await textOf(draftId)).toBe('after the end');
  });

  it('is in the draft once if a kill came before it was noted', async () => {
    const path = await openCopy();
    const note = `${dirname(path)}.json`;
    const before = readFileSync(note);
    writeFileSync(join(dirname(path), '~$B.docx'), 'of Word');
    writeFileSync(path, saved('twice'));
    await whenDraft(wasSaved);
    await desk.close();
    writeFileSync(note, before);
    desk = await open();
    // It is looked at by then.
    await desk.templates.fill({ draftId, templateId });
    await desk.close();
    desk = await open();
    const { attachments } = await desk.reports.getDraft({ draftId });
    const texts = await Promise.all(attachments.map(({ id }) => textOf(draftId, id)));
    expect(texts.filter((text) => text === 'twice')).toHaveLength(1);
  });

  it('has its PDF taken into a new draft if the report is on its way', async () => {
    const path = await openCopy();
    await desk.reports.submitDraft({ draftId });
    writeFileSync(pdfOf(path), await makePdf('late'));
    await desk.close();
    expect(existsSync(path)).toBe(false);
    desk = await open();
    const drafts = (await desk.reports.drafts()).items.filter(({ queueId }) => queueId === null);
    expect(drafts.map(({ attachments }) => attachments.map((file) => file.contentType))).toEqual([
      ['application/pdf'],
    ]);
  });

  it('needs a program, and leaves no copy without one', async () => {
    await desk.close();
    desk = await open(() => Promise.resolve(false));
    const opening = desk.templates.open({ draftId, attachmentId });
    await expect(opening).rejects.toMatchObject({ code: 'no_program' });
    expect(readdirSync(join(home, 'opened-reports'))).toEqual([]);
    expect((await desk.templates.list()).canOpen).toBe(true);
  });
});
