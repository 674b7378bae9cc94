import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Batch } from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import { makeWorkbook, textRow } from '../../../support/workbook.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';
import { smallPdf } from '../../../support/pdf-files.ts';

const { starter } = sharePractice();
let home: string;
let vault: Vault;
const open = () => openTestEngine({ home, vault, practice: starter });

async function* contentOf(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
const pdf = (text: string) => smallPdf(text).toString();

beforeEach(() => {
  home = join(testFolder(), 'home');
  vault = testKeychain();
});

const batchOf = async (desk: Engine): Promise<Batch> => {
  const { batch } = await desk.batch.get();
  if (!batch) throw new Error('there is no batch');
  return batch;
};
const outcomes = ({ rows }: Batch) =>
  Object.fromEntries(rows.map(({ path, outcome }) => [path, outcome]));

async function drop(desk: Engine, files: Record<string, string | null>): Promise<Batch> {
  const paths = Object.keys(files);
  await desk.batch.announce({ files: paths.map((path) => ({ path, sizeBytes: 20 })) });
  const { id } = await batchOf(desk);
  for (const path of paths) {
    const text = files[path];
    if (text === null || text === undefined) continue;
    await desk.files
      .addBatchFile(id, path, { content: contentOf(text) })
      .catch((error: unknown) => {
        if (!(error instanceof DeskError)) throw error;
      });
  }
  return await batchOf(desk);
}

/** An open practice workspace with the keys of two cases that take work. */
async function openDesk() {
  const desk = await open();
  await desk.sync.run({ documents: 'none' });
  await desk.sync.setPaused({ paused: true });
  const { items } = await desk.cases.list({ status: 'InProgress' });
  const [one = '', other = ''] = items.map(({ externalKey }) => externalKey);
  return { desk, one, other };
}

const mail = (subject: string) => `From: a@garage.example\r\nSubject: ${subject}\r\n\r\nGrüezi`;

describe('a batch', () => {
  it('finds the case of a mail by its subject, if its name says nothing and nobody chose', async () => {
    const { desk, one, other } = await openDesk();
    const about = mail(`WG: Offerte ${one}`);
    const dropped = await drop(desk, {
      'Anfrage.eml': null,
      [`${other}.eml`]: about,
      'b.eml': mail('Offerte'),
      'c.eml': about,
    });
    const { items } = await desk.batch.search({ q: other });
    await desk.batch.change({ paths: ['Anfrage.eml'], caseId: items[0]?.id ?? null, typed: other });
    await desk.files.addBatchFile(dropped.id, 'Anfrage.eml', { content: contentOf(about) });
    const { rows } = await batchOf(desk);
    expect(rows.map(({ path, externalKey, outcome }) => [path, externalKey, outcome])).toEqual([
      ['Anfrage.eml', other, 'ready'],
      [`${other}.eml`, other, 'duplicate'],
      ['b.eml', null, 'unmatched'],
      ['c.eml', one, 'ready'],
    ]);
    expect(rows[3]).toMatchObject({ typed: one, matchedBy: [{ in: 'subject', identifier: one }] });
  });

  it('puts the files of a mail to the case of the mail, also if the user chose it', async () => {
    const { desk, one, other } = await openDesk();
    await drop(desk, { 'a.eml': mail(`Offerte ${one}`), 'b.eml': mail('Offerte') });
    const { items } = await desk.batch.search({ q: other });
    await desk.batch.change({ paths: ['b.eml'], caseId: items[0]?.id ?? null, typed: other });
    const named = `a.eml/${other}.pdf`;
    const inner = { 'a.eml/x.pdf': pdf('x'), 'b.eml/x.pdf': pdf('y'), [named]: pdf('z') };
    const { rows } = await drop(desk, inner);
    const keys = Object.fromEntries(rows.map((row) => [row.path, row.case?.externalKey]));
    const own = { 'a.eml': one, 'b.eml': other };
    expect(keys).toEqual({ ...own, 'a.eml/x.pdf': one, 'b.eml/x.pdf': other, [named]: other });
  });

  it('is work: a start that finds half of it shows it as it was, and nothing is queued twice', async () => {
    const { desk, one, other } = await openDesk();
    await drop(desk, { [`${one}.pdf`]: pdf('one'), 'b.pdf': pdf('b'), [`${other}.pdf`]: null });
    const { items } = await desk.batch.search({ q: other });
    await desk.batch.change({ paths: ['b.pdf'], caseId: items[0]?.id ?? null, typed: other });
    await desk.batch.change({ paths: ['b.pdf'], comment: 'of b' });
    await desk.batch.setComment({ comment: 'for all' });
    const template = { templateId: 'desk:report.vehicle.de.docx', asPdf: true };
    await desk.batch.setTemplate({ template });
    await desk.batch.discard();
    await desk.batch.takeBack();
    await desk.close();

    const next = await open();
    await next.sync.setPaused({ paused: true });
    const found = await batchOf(next);
    expect(found).toMatchObject({ comment: 'for all', template });
    expect(outcomes(found)).toEqual({
      [`${one}.pdf`]: 'ready',
      'b.pdf': 'kept_back',
      [`${other}.pdf`]: 'missing',
    });
    expect(found.rows[1]).toMatchObject({ typed: other, comment: 'of b', isCorrected: true });

    await next.batch.setTemplate({ template: null });
    await next.batch.queue();
    expect((await next.queue.list({})).total).toBe(1);
    expect(outcomes(await batchOf(next))).toMatchObject({ [`${one}.pdf`]: 'added' });

    const again = await drop(next, {
      [`${one}.pdf`]: pdf('one'),
      'b.pdf': pdf('b'),
      [`${other}.pdf`]: pdf('other'),
    });
    expect(outcomes(again)).toEqual({
      [`${one}.pdf`]: 'added',
      'b.pdf': 'ready',
      [`${other}.pdf`]: 'ready',
    });
    await next.batch.queue();
    const queued = await next.queue.list({});
    expect(queued.items.map(({ act }) => 'comment' in act && act.comment).toSorted()).toEqual([
      'for all',
      'of b',
    ]);
    expect(queued.items[0]?.steps.filter(({ kind }) => kind === 'document')).toHaveLength(2);
    await next.close();

    // Nothing of it is open: it has ended.
    const last = await open();
    expect(await last.batch.get()).toEqual({ batch: null });
    const known = await drop(last, { [`${one}.pdf`]: pdf('one') });
    expect(known.rows[0]).toMatchObject({ outcome: 'known', queueState: 'waiting' });
    await last.batch.queue();
    expect((await last.queue.list({})).total).toBe(2);
  });

  it('stores why a file was refused, and takes it back when it is right', async () => {
    const { desk, one } = await openDesk();
    const refused = await drop(desk, { [`${one}.pdf`]: '', [`${one} b.pdf`]: pdf('b') });
    expect(refused.rows[0]).toMatchObject({ outcome: 'refused', problem: { code: 'file_empty' } });
    expect(outcomes(refused)[`${one} b.pdf`]).toBe('kept_back');
    const { batch } = await desk.batch.queue();
    expect(batch && outcomes(batch)).toEqual(outcomes(refused));
    const right = { [`${one}.pdf`]: 'ready', [`${one} b.pdf`]: 'ready' };
    expect(outcomes(await drop(desk, { [`${one}.pdf`]: pdf('a') }))).toEqual(right);
    // The file that was there before is right again.
    expect(outcomes(await drop(desk, { [`${one}.pdf`]: '' }))).not.toEqual(right);
    expect(outcomes(await drop(desk, { [`${one}.pdf`]: pdf('a') }))).toEqual(right);
  });

  it('sends a file again that the case has already, if the user asks for it', async () => {
    const { desk, one } = await openDesk();
    const path = `${one}.pdf`;
    await drop(desk, { [path]: pdf('one') });
    await desk.batch.queue();
    await desk.batch.removeQueued();
    await drop(desk, { [path]: pdf('one') });
    const { batch } = await desk.batch.change({ paths: [path], sendsAgain: true });
    expect(batch?.rows[0]).toMatchObject({ outcome: 'ready', sendsAgain: true });
    await desk.batch.queue();
    expect((await desk.queue.list({})).total).toBe(2);
  });

  it('is discarded by the user only, and can be taken back until the next start', async () => {
    const { desk, one } = await openDesk();
    await drop(desk, { [`${one}.pdf`]: pdf('one') });
    expect(await desk.batch.discard()).toEqual({ batch: null });
    expect((await desk.batch.takeBack()).batch?.rows).toHaveLength(1);
    await desk.batch.remove({ paths: [`${one}.pdf`] });
    expect((await batchOf(desk)).rows).toEqual([]);
    await desk.batch.restore({ paths: [`${one}.pdf`] });
    expect(outcomes(await batchOf(desk))).toEqual({ [`${one}.pdf`]: 'ready' });
    await desk.batch.discard();
    await desk.close();
    const next = await open();
    expect(await next.batch.takeBack()).toEqual({ batch: null });
  });

  const applied = async (rows: string, columns = '') => {
    const { desk, one, other } = await openDesk();
    const heading = textRow(1, ['externalKey', 'costEstimateAmount', 'expertComment', 'Partei']);
    const body = rows.replaceAll('ONE', one).replaceAll('OTHER', other);
    const content = makeWorkbook({ rows: heading + body, columns, formats: ['DD.MM.YYYY'] });
    const contentBase64 = Buffer.from(content).toString('base64');
    const { batch } = await desk.batch.setSheet({ fileName: 'Werte.xlsx', contentBase64 });
    return { desk, read: batch?.sheet?.read };
  };
  const key = (line: number, name: string) =>
    `<c r="A${String(line)}" t="inlineStr"><is><t>${name}</t></is></c>`;

  it('applies no line of a sheet of which a formula has no result, and names every fault of it', async () => {
    const { desk, read } = await applied(
      `<row r="2">${key(2, 'ONE')}<c r="B2"><f>1000+200</f><v/></c>
        <c r="C2" t="inlineStr"><is><t>formula</t></is></c></row>
       <row r="3">${key(3, 'gone')}<c r="B3" t="e"><f>A9/0</f><v>#REF!</v></c></row>`,
    );
    expect(read?.items).toEqual([]);
    expect(read?.problems.map(({ line, problem }) => [line, problem.code])).toEqual([
      [2, 'sheet_cell_empty'],
      [3, 'sheet_cell_failed'],
      [3, 'case_not_found'],
    ]);
    await desk.batch.queue();
    expect((await desk.queue.list({})).total).toBe(0);
    // The user leaves the lines out, and the rest may go.
    const { batch } = await desk.batch.chooseLines({ without: [2, 3], withHidden: false });
    expect(batch?.sheet?.read.problems).toEqual([]);
  });

  it('has the sheet that was given last, and applies none that came while it is queued', async () => {
    const { desk } = await applied('');
    const csv = (comment: string) =>
      Buffer.from(`externalKey;expertComment\n;${comment}\n`).toString('base64');
    const workbook = Buffer.from(makeWorkbook({ rows: textRow(1, ['externalKey']) }));
    await Promise.all([
      desk.batch.setSheet({ fileName: 'A.xlsx', contentBase64: workbook.toString('base64') }),
      desk.batch.setSheet({ fileName: 'B.csv', contentBase64: csv('B') }),
    ]);
    expect((await desk.batch.get()).batch?.sheet?.fileName).toBe('B.csv');
    await desk.batch.setSheet({ fileName: 'A.xlsx', contentBase64: workbook.toString('base64') });
    await Promise.all([
      desk.batch.queue(),
      desk.batch.setSheet({ fileName: 'C.csv', contentBase64: csv('C') }),
    ]);
    expect((await desk.batch.get()).batch?.sheet?.fileName).toBe('C.csv');
  });

  it('applies hidden lines and columns of a sheet only if the user chooses them', async () => {
    const line = (at: number, name: string, more: string) =>
      `<row r="${String(at)}"${more}>${key(at, name)}<c r="B${String(at)}"><v>1108</v></c>
        <c r="C${String(at)}" s="1"><v>46143</v></c></row>`;
    const rows = line(2, 'ONE', ' hidden="1"') + line(3, 'OTHER', '');
    const columns = '<cols><col min="2" max="2" hidden="1"/></cols>';
    const { desk, read } = await applied(rows, columns);
    expect(read?.hidden).toEqual({ lines: [2], columns: ['costEstimateAmount'] });
    expect(read?.unused).toEqual(['Partei']);
    expect(read?.items).toMatchObject([
      { line: 3, costEstimateRappen: null, comment: '01.05.2026' },
    ]);
    const { batch } = await desk.batch.chooseLines({ without: [], withHidden: true });
    expect(batch?.sheet?.read).toMatchObject({
      hidden: { lines: [], columns: [] },
      items: [
        { line: 2, costEstimateRappen: 1108_00 },
        { line: 3, costEstimateRappen: 1108_00 },
      ],
    });
    // What is queued is what was chosen.
    await desk.batch.queue();
    expect((await desk.queue.list({})).items.map(({ kind }) => kind).toSorted()).toEqual([
      'amounts',
      'amounts',
      'comment',
      'comment',
    ]);
  });
});
