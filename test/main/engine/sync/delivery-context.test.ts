import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  asDelivery,
  blockingStatus,
  type DeliveryContext,
  documentStep,
  documentSteps,
  submissionId,
  uploadSource,
} from '#main/engine/sync/delivery-context.ts';
import { deliveryContext } from '../support/delivery-context.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
let context: DeliveryContext;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
  context = deliveryContext(desk);
});
afterEach(() => desk.remove());

const row = (id: number) => desk.work.outbox.rows.get(id);
const report = () =>
  desk.queueReport(caseId, 'r', [
    { name: 'a.txt', content: 'aaa' },
    { name: 'b.txt', content: 'bb' },
  ]);

it('every request of a delivery is one, and ends with it', () => {
  const { signal } = context;
  expect(asDelivery(context)).toEqual({ priority: 'delivery', signal });
});

describe('the files of a report', () => {
  it('are those of its uploads, in their order', async () => {
    const id = await report();
    const found = documentSteps(context, row(id));
    expect(found.map(({ step, attachment }) => [step.kind, attachment.fileName])).toEqual([
      ['document', 'a.txt'],
      ['document', 'b.txt'],
    ]);
    for (const each of found) expect(documentStep(context, row(id), each.step)).toEqual(each);
  });

  it('are none of the steps that upload nothing, of a lost attachment, and of other acts', async () => {
    const { act, steps, ...rest } = row(await report());
    const [draft, first, second] = steps;
    if (!draft || !first || !second) throw new Error('no steps');
    // A submission with an attachment cannot be, and is no upload either.
    const strange = [
      { ...draft, attachmentId: first.attachmentId },
      { ...second, attachmentId: 'x' },
    ];
    expect(documentSteps(context, { ...rest, act, steps: strange })).toEqual([]);
    const comment = row(desk.queueComment(caseId, 'c'));
    expect(documentSteps(context, { ...comment, steps })).toEqual([]);
    expect(documentStep(context, comment, first)).toBeUndefined();
  });

  it('are sent as they were attached', async () => {
    const [found] = documentSteps(context, row(await report()));
    if (!found) throw new Error('no file');
    const source = uploadSource(context, found.attachment);
    expect(source).toMatchObject({
      fileName: 'a.txt',
      contentType: 'text/plain',
      sizeBytes: 3,
      isSalvageSale: false,
    });
    expect((await buffer(source.open())).toString()).toBe('aaa');
  });
});

it('a report has an id at the server once its draft is delivered', async () => {
  const id = await report();
  expect(submissionId(row(id))).toBeNull();
  desk.partner.fault = (operation) => (operation === 'X13' ? 'refused' : 'none');
  await desk.sync.delivery.deliver();
  const { steps, ...rest } = row(id);
  for (const ordered of [steps, steps.toReversed()])
    expect(submissionId({ ...rest, steps: ordered })).toBe(desk.partner.submissions[0]?.id);
  expect(submissionId(row(desk.queueComment(caseId, 'c')))).toBeNull();
});

describe('a row', () => {
  it.each([
    ['waits for a case that is not accepted yet', 'Assigned', 'waiting', 'Assigned'],
    ['may be sent if its case takes work', 'Accepted', 'waiting', null],
    ['may be sent if its case is closed, which the partner refuses', 'Final', 'waiting', null],
    ['that may have arrived is looked up, whatever its case', 'Assigned', 'unknown', null],
  ] as const)('%s', async (_what, status, state, expected) => {
    desk.partner.change(caseId, { status });
    await desk.sync.pull();
    expect(blockingStatus(context, { caseId, state })).toBe(expected);
  });

  it('of a case that is not stored, or in a damaged cache, may be sent', () => {
    expect(blockingStatus(context, { caseId: 'another', state: 'waiting' })).toBeNull();
    desk.cache.cases.statusOf = () => {
      throw new Error('a damaged page');
    };
    expect(blockingStatus(context, { caseId, state: 'waiting' })).toBeNull();
  });
});
