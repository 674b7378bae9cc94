import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { DocumentContentType } from '#shared/api/document.ts';
import type { BatchAttachment } from '#shared/desk/reports/batch.ts';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import { typeOfName } from '#shared/lib/file-type.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { DeskError, type DeskErrorCode } from '#shared/desk/contract/errors.ts';
import { makeDetailedJpeg, makePdf } from '../../../support/sample-files.ts';
import { makeDocx, paragraph } from '../../../support/word-documents.ts';
import { makeWorkbook, textRow } from '../../../support/workbook.ts';
import { openTestEngine, sharePractice, testFolder } from '../support/test-engine.ts';

// Each kind of file, whole and half, comes in alike through every entrance: as what it is, or with
// one reason why it does not.

const { starter } = sharePractice();

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../support/fixtures', name));
const half = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, Math.floor(bytes.length / 2)));

const photo = makeDetailedJpeg(80, 60);
const pdf = await makePdf('Gutachten', 'Seite zwei');
const docx = Buffer.from(makeDocx(paragraph('Gutachten')));
const xlsx = Buffer.from(makeWorkbook({ rows: textRow(1, ['A', 'B']) }));
const zip = Buffer.from(zipSync({ 'a.txt': strToU8('one'), 'b.txt': strToU8('two') }));
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Outcome = DocumentContentType | DeskErrorCode;
/** A file, what comes of it, and what a command makes of it if no window has to look at it. */
const table: readonly (readonly [string, Buffer, Outcome, Outcome?])[] = [
  ['photo.jpg', photo, 'image/jpeg'],
  ['half.jpg', half(photo), 'photo_unready'],
  ['telephone.heic', fixture('telephone.heic'), 'photo_unready', 'image/jpeg'],
  ['screen.png', fixture('pictures/web.png'), 'image/png'],
  ['picture.webp', fixture('pictures/lossless.webp'), 'image/webp'],
  ['scan.tif', fixture('pictures/g4.tif'), 'image/tiff'],
  ['named.HEIC', photo, 'image/jpeg'],
  ['report.pdf', pdf, 'application/pdf'],
  ['report.pdf ', pdf, 'application/pdf'],
  ['half.pdf', half(pdf), 'pdf_damaged'],
  ['locked.pdf', fixture('pw-user.pdf'), 'application/pdf'],
  ['letter.docx', docx, word],
  ['half.docx', half(docx), 'file_damaged'],
  ['sheet.xlsx', xlsx, excel],
  ['half.xlsx', half(xlsx), 'file_damaged'],
  ['files.zip', zip, 'application/zip'],
  ['half.zip', half(zip), 'file_damaged'],
  ['mail.eml', fixture('13-html-table-mail.eml'), 'message/rfc822'],
  ['text.txt', fixture('cp1252.txt'), 'text/plain'],
  ['list.csv', fixture('12-cp850.csv'), 'text/csv'],
  ['empty.pdf', Buffer.alloc(0), 'file_empty'],
  ['letter.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'file_kind'],
  ['mail.msg', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'file_kind'],
  ['film.mp4', Buffer.from('00000018667479706d703432', 'hex'), 'file_kind'],
  ['program.exe', Buffer.from('MZ'), 'file_type_not_allowed'],
  ['lie.pdf', photo, 'file_type_mismatch'],
];

/**
 * The type under which a file came in, the reason why it did not, or `photo_unready` for a picture
 * that is sent only after a window has drawn it.
 */
async function outcome(take: () => Promise<Attachment | BatchAttachment | null | undefined>) {
  try {
    const taken = await take();
    if (!taken) return 'nothing';
    const { contentType } = taken;
    // A batch does not say of its pictures whether they are ready; the next act makes them so.
    const isBare = !('details' in taken) || taken.details.isBare;
    return isPictureType(contentType) && !isBare ? 'photo_unready' : contentType;
  } catch (error) {
    if (error instanceof DeskError) return error.code;
    throw error;
  }
}

it('each kind of file has one outcome, whichever entrance it takes', async () => {
  const desk = await openTestEngine({ home: join(testFolder(), 'home'), practice: starter });
  await desk.sync.run({ documents: 'none' });
  const { items } = await desk.cases.list({ status: 'InProgress' });
  const [{ id, externalKey } = { id: '', externalKey: '' }] = items;
  const draft = await desk.reports.createDraft({ id });
  const first = await desk.files.addAttachment(draft.id, {
    fileName: 'first.pdf',
    content: Readable.from([pdf]),
  });
  const paths = table.map(([name]) => `${externalKey}/${name}`);
  await desk.batch.announce({ files: paths.map((path) => ({ path, sizeBytes: 20 })) });
  const { batch } = await desk.batch.get();
  const found: Record<string, Record<string, string>> = {};
  for (const [name, bytes] of table) {
    const file = () => ({ fileName: name, content: Readable.from([bytes]) });
    found[name] = {
      dropped: await outcome(() => desk.files.addAttachment(draft.id, file())),
      'in place of another': await outcome(() =>
        desk.files.replaceAttachment(draft.id, first.id, file()),
      ),
      'in a batch': await outcome(() =>
        desk.files.addBatchFile(batch?.id ?? '', `${externalKey}/${name}`, file()),
      ),
      'by a command': await outcome(async () => {
        const report = { comment: '', files: [file()], submit: false };
        return (await desk.makeReport(externalKey, report)).attachments[0];
      }),
    };
  }
  const wanted = table.map(([name, , what, alone = what]) => {
    const inBatch = what === 'photo_unready' ? typeOfName(name) : what;
    const ways = { 'in place of another': what, 'in a batch': inBatch, 'by a command': alone };
    return [name, { dropped: what, ...ways }];
  });
  expect(found).toEqual(Object.fromEntries(wanted));
});
