import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { takeBatchFile } from '#main/engine/batch/open-batch.ts';
import { batchCalls } from '#main/engine/calls/batch.ts';
import { addTemplate } from '#main/engine/calls/templates.ts';
import { PictureReducer } from '#main/engine/photos/picture-reducer.ts';
import type { TemplateTools } from '#main/engine/templates/fill-report.ts';
import { TemplateLibrary } from '#main/engine/templates/template-library.ts';
import { OnePdfThread } from '#main/engine/templates/one-pdf/one-pdf-thread.ts';
import { TemplateWorkshop } from '#main/engine/templates/template-workshop.ts';
import { TemplateThread } from '#main/engine/templates/template-thread.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { systemClock } from '#main/shell/system.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { makePlainJpeg } from '../../../support/sample-files.ts';
import { makeDocx, paragraph } from '../../../support/word-documents.ts';
import { sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

const one = sampleCase(1, { status: 'InProgress' });
const other = sampleCase(2, { status: 'InProgress' });
let workspace: OpenWorkspace;
let calls: ReturnType<typeof batchCalls>;
let templateId: string;
/** Done while a template is read for the nth time, before its bytes are there. */
let whileRead: (() => unknown)[];

class SlowLibrary extends TemplateLibrary {
  override async read(...given: Parameters<TemplateLibrary['read']>) {
    await whileRead.shift()?.();
    return await super.read(...given);
  }
}

function openTools(): TemplateTools {
  const thread = new TemplateThread(faultLog);
  const reducer = new PictureReducer(faultLog);
  const binder = new OnePdfThread(faultLog);
  onTestFinished(async () => {
    await thread.end();
    await reducer.end();
    await binder.end();
  });
  return {
    thread,
    reducer,
    binder,
    makesPdf: () => false,
    library: new SlowLibrary({
      thread,
      folder: () => null,
      clock: systemClock,
      language: () => 'de',
    }),
    makePdf: () => Promise.reject(new Error('no PDF is made')),
  };
}

beforeEach(async () => {
  whileRead = [];
  workspace = await openTestWorkspace();
  workspace.cache.cases.upsert([one, other]);
  const tools = openTools();
  calls = batchCalls(() => workspace, tools);
  const content = Readable.from([makeDocx(paragraph('{case.key}'))]);
  const workshop = new TemplateWorkshop(tools, { language: () => 'de', newId: randomUUID });
  const { template } = await addTemplate(
    workspace,
    { ...tools, workshop },
    { fileName: 'R.de.docx', content },
  );
  templateId = template?.id ?? '';
});

const current = () => {
  const batch = workspace.work.batches.current(null);
  if (!batch) throw new Error('there is no batch');
  return batch;
};
const reported = () => workspace.work.outbox.rows.reportedCases();

/** Drops a photo of a case, which starts a batch if there is none. */
async function drop({ externalKey }: { externalKey: string }): Promise<string> {
  const path = `${externalKey} front.jpg`;
  await calls.announce({ files: [{ path, sizeBytes: 20 }], leftOut: [] });
  const { id } = current();
  const content = Readable.from([makePlainJpeg(160, 120, [200, 0, 0])]);
  await takeBatchFile(workspace, id, path, { content, isSeen: true });
  return id;
}
const choose = (id: string) => calls.setTemplate({ template: { templateId: id, asPdf: false } });

describe('a batch that is queued', () => {
  it('is not filled with a template that was replaced while it was read', async () => {
    await drop(one);
    await choose(templateId);
    whileRead = [() => choose('another')];
    const { batch, unfilled } = await calls.queue(undefined);
    expect([batch?.template?.templateId, unfilled]).toEqual(['another', []]);
    expect(reported()).toEqual([]);
  });

  it('does not queue another batch that was begun while its template was read', async () => {
    await drop(one);
    await choose(templateId);
    let second = '';
    const replace = async () => {
      await calls.discard(undefined);
      second = await drop(other);
      await choose(templateId);
    };
    whileRead = [replace];
    expect((await calls.queue(undefined)).batch).toMatchObject({
      id: second,
      template: { templateId },
    });
    expect(reported()).toEqual([]);
  });

  it('makes no report of a case if it was discarded while the document of it was filled', async () => {
    await drop(one);
    await choose(templateId);
    whileRead = [() => undefined, () => calls.discard(undefined)];
    const { batch, unfilled } = await calls.queue(undefined);
    expect([batch, unfilled]).toEqual([null, []]);
    expect(reported()).toEqual([]);
  });

  it('goes on with no other template that was chosen while the document of a case was filled', async () => {
    await drop(one);
    await drop(other);
    await choose(templateId);
    whileRead = [() => undefined, () => undefined, () => choose('another')];
    const { batch } = await calls.queue(undefined);
    expect(reported()).toEqual([one.id]);
    expect(batch?.template?.templateId).toBe('another');
  });

  it('leaves a comment that was written for the next ones while it was filled', async () => {
    await drop(one);
    await choose(templateId);
    await calls.setComment({ comment: 'before' });
    whileRead = [() => undefined, () => calls.setComment({ comment: 'since' })];
    const { batch } = await calls.queue(undefined);
    expect(reported()).toEqual([one.id]);
    expect([batch?.comment, batch?.template]).toEqual(['since', null]);
  });
});

it('judges only the files of a case for its report', async () => {
  /** How many files are judged while as many cases are filled. */
  const judged = async (first: number, count: number) => {
    const cases = Array.from({ length: count }, (_, at) =>
      sampleCase(first + at, { status: 'InProgress' }),
    );
    workspace.cache.cases.upsert(cases);
    for (const each of cases) await drop(each);
    await choose(templateId);
    const containing = vi.spyOn(workspace.work.drafts, 'containing');
    await calls.queue(undefined);
    const { length } = containing.mock.calls;
    containing.mockRestore();
    await calls.discard(undefined);
    return length;
  };
  const ofOne = await judged(10, 1);
  expect(ofOne).toBeGreaterThan(0);
  expect(await judged(20, 4)).toBe(4 * ofOne);
});

describe('a sheet', () => {
  const workbook = {
    fileName: 'A.xlsx',
    contentBase64: Buffer.from('PK\u0003\u0004').toString('base64'),
  };
  const line = (at: number, ...cells: string[]) => ({ line: at, isHidden: false, cells });
  const table = {
    name: null,
    hiddenColumns: new Set<number>(),
    rows: [line(1, 'externalKey', 'approvedAmount'), line(2, one.externalKey, '77')],
  };
  /** Reads every sheet as the same table; the first one after this was done. */
  const readAfter = (act: () => unknown) => {
    const acts = [act];
    vi.spyOn(workspace.sheets, 'read').mockImplementation(async () => {
      await acts.shift()?.();
      return [table];
    });
  };

  it('is not in another batch that was begun while it was read', async () => {
    await drop(one);
    readAfter(async () => {
      await calls.discard(undefined);
      await drop(other);
    });
    expect((await calls.setSheet(workbook)).batch?.sheet).toBeNull();
  });

  it('begins no batch again that was discarded while it was read', async () => {
    await drop(one);
    readAfter(() => calls.discard(undefined));
    expect((await calls.setSheet(workbook)).batch).toBeNull();
  });

  it('is in the batch of the files that were dropped with it', async () => {
    let id = '';
    readAfter(async () => {
      id = await drop(one);
    });
    expect((await calls.setSheet(workbook)).batch).toMatchObject({
      id,
      sheet: { fileName: 'A.xlsx' },
    });
  });

  it('is chosen from in its batch alone, also if another one has the same sheet', async () => {
    readAfter(() => undefined);
    await calls.setSheet(workbook);
    readAfter(async () => {
      await calls.discard(undefined);
      await calls.setSheet(workbook);
    });
    const { batch } = await calls.chooseLines({ without: [2], withHidden: false, sheetName: null });
    expect(batch?.sheet?.read).toMatchObject({ choice: { without: [] }, items: [{ line: 2 }] });
  });
});

it('a file of the system counts once, also if its folder is dropped again', async () => {
  const drop = (leftOut: string[]) =>
    calls.announce({ files: [{ path: 'a.pdf', sizeBytes: 20 }], leftOut });
  await drop(['x/Thumbs.db', 'y/Thumbs.db']);
  await drop(['x/Thumbs.db', '.DS_Store']);
  expect((await calls.get(undefined)).batch?.leftOut).toBe(3);
});
