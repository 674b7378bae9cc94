import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { CommandContext } from '#main/cli/command.ts';
import { queue, queueWhy } from '#main/cli/commands/queue.ts';
import { createOutput } from '#main/cli/output.ts';
import type { Decision } from '#shared/desk/delivery/decisions.ts';
import { reportDraftSchema } from '#shared/desk/reports/reports.ts';
import { queueItem, syncStatus } from '../../support/desk-records.ts';
import { printedItem } from '../../support/printed.ts';
import {
  caseInProgress,
  createDeskRunner,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import { smallPdf } from '../../support/pdf-files.ts';

const folder = serviceFolderHere();
const { at } = folder;
const desk = createDeskRunner(at('home'));
let service: ServiceHere;
let key: string;

async function queued(...act: string[]): Promise<string> {
  return String((await desk(...act)).json(printedItem).id);
}
const shown = async (id: string) => (await desk('queue', 'show', id)).json(printedItem);

beforeAll(async () => {
  service = await folder.start('--demo', '12', '--limits', 'x10');
  await desk('connect', '--credentials', service.credentialsPath);
  await desk('sync');
  key = await caseInProgress(desk);
  writeFileSync(at('report.pdf'), smallPdf('Report'));
});
afterAll(folder.end);

describe('desk queue edit', () => {
  it('changes amounts in their place, what is left out staying', async () => {
    const first = await queued('amounts', key, '--estimate', '100', '--approved', '50');
    const then = await queued('comment', key, 'After the amounts');
    const run = await desk('queue', 'edit', first, '--approved', "1'050.5");
    expect(run.json(printedItem)).toMatchObject({
      id: Number(first),
      state: 'waiting',
      act: { costEstimateAmount: 100, approvedAmount: 1050.5 },
    });
    await desk('queue', 'edit', first, '--estimate', 'none');
    await desk('queue', 'edit', then, '--text', 'Changed');
    await desk('sync');
    const schema = z.looseObject({
      costEstimateAmount: z.number().nullable(),
      approvedAmount: z.number().nullable(),
      expertComment: z.string(),
    });
    expect((await desk('case', key)).json(schema)).toMatchObject({
      costEstimateAmount: null,
      approvedAmount: 1050.5,
      expertComment: 'Changed',
    });
    expect((await shown(first)).state).toBe('delivered');
  });

  it('takes a report back as a draft, which can be queued again', async () => {
    const id = await queued(
      'report',
      key,
      '--file',
      at('report.pdf'),
      '--comment',
      'Old',
      '--submit',
    );
    const draft = (await desk('queue', 'edit', id, '--comment', 'New')).json(reportDraftSchema);
    expect(draft).toMatchObject({ comment: 'New', queueId: null, attachments: [{}] });
    expect((await shown(id)).state).toBe('discarded');
    const reports = (await desk('reports', key)).json(itemsSchema.loose());
    expect(reports).toMatchObject({ drafts: [{ id: draft.id }] });
  });

  it('changes nothing that is delivered or discarded, and names the state', async () => {
    const run = await desk('queue', 'edit', '1', '--approved', '1');
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'queue_row_state']);
    expect(run.stderr).toContain('delivered');
    const gone = await desk('queue', 'edit', '3');
    expect([gone.code, gone.json(errorSchema).code]).toEqual([1, 'queue_row_state']);
    const unknown = await desk('queue', 'edit', '99', '--text', 'x');
    expect([unknown.code, unknown.json(errorSchema).code]).toEqual([1, 'queue_row_not_found']);
  });

  it.each([
    [[], 'usage'],
    [['--reason', 'x'], 'usage'],
    [['--approved', '1', '--text', 'x'], 'usage'],
    [['--approved', '1.234'], 'amount_too_many_decimals'],
  ])('ends with 2 for amounts with %j', async (options, code) => {
    const id = await queued('amounts', key, '--approved', '7');
    const run = await desk('queue', 'edit', id, ...options);
    expect([run.code, run.json(errorSchema).code]).toEqual([2, code]);
    expect((await shown(id)).act).toMatchObject({ approvedAmount: 7 });
    await desk('queue', 'discard', id);
  });

  it('follows the rules of a comment', async () => {
    const id = await queued('comment', key, 'Short');
    const run = await desk('queue', 'edit', id, '--text', 'x'.repeat(4001));
    expect([run.code, run.json(errorSchema).code]).toEqual([2, 'comment_too_long']);
  });
});

describe('desk queue --why', () => {
  it('tells in order what was decided about an entry, and why', async () => {
    const id = await queued('comment', key, 'A remark about Anna Meier');
    expect((await desk('queue', '--why', id)).json(itemsSchema)).toMatchObject({ items: [] });
    await desk('sync');
    const why = (await desk('queue', '--why', id)).json(itemsSchema.loose());
    expect(why).toMatchObject({
      total: 3,
      items: [
        { id: Number(id), step: 'comment', action: 'ask', question: 'value', answer: 'free' },
        {
          action: 'send',
          rule: 'nothingAgainst',
          reason: 'Nothing speaks against it.',
          state: 'waiting',
          next: 'sending',
          attempts: 0,
        },
        { action: 'confirm', rule: null, reason: '', state: 'sending', next: 'delivered' },
      ],
    });
    expect(JSON.stringify(why)).not.toMatch(/Anna|Meier|remark/);
    const unknown = await desk('queue', '--why', '99');
    expect([unknown.code, unknown.json(errorSchema).code]).toEqual([1, 'queue_row_not_found']);
  });

  it('is a table for people', async () => {
    let printed = '';
    const write = (text: string) => (printed += text);
    const output = createOutput({ stdout: { write }, stderr: { write } }, false, {
      language: 'en',
      commandName: 'desk',
    });
    const decision: Decision = {
      id: 7,
      at: '2026-03-02T08:00:00.000Z',
      stepId: 12,
      step: 'document',
      attempts: 1,
      state: 'sending',
      failure: { kind: 'unknown', code: 'outcome_unknown', status: 502, wasSent: true },
      action: 'doubt',
      question: null,
      answer: null,
      rule: 'noAnswer',
      reason: 'It was sent, and no answer came.',
      next: 'unknown',
    };
    const [step] = queueItem().steps;
    const files = [11, 12].map((id) => ({ ...step, id, kind: 'document' }));
    const engine = {
      queue: {
        decisions: () => Promise.resolve({ items: [decision], total: 1 }),
        get: () => Promise.resolve({ steps: files }),
      },
    };
    // The command uses only these two calls of the engine.
    await queueWhy(7)({ engine, output } as unknown as CommandContext);
    expect(printed.replaceAll(/ {2,}/g, ' | ')).toBe(
      `When | Step | Attempts | State | Failure | Decision | Why
2026-03-02T08:00:00.000Z | document 2 | 1 | sending -> unknown | outcome_unknown 502 | doubt | It was sent, and no answer came.
`,
    );
  });
});

describe('desk draft', () => {
  // What the tests above left.
  beforeAll(async () => {
    const { drafts } = (await desk('reports', key)).json(
      z.looseObject({ drafts: z.array(reportDraftSchema) }),
    );
    for (const { id } of drafts) await desk('draft', key, '--draft', id, '--discard');
  });
  const drafted = (comment: string) =>
    desk('report', key, '--file', at('report.pdf'), '--comment', comment);

  it('shows the open draft of a case, and removes it', async () => {
    expect((await desk('draft', key)).json(errorSchema).code).toBe('draft_not_found');
    const made = (await drafted('To remove')).json(reportDraftSchema);
    const shownDraft = (await desk('draft', key)).json(reportDraftSchema);
    expect(shownDraft).toMatchObject({ id: made.id, comment: 'To remove', queueId: null });
    expect(shownDraft.attachments).toMatchObject([{ fileName: 'report.pdf' }]);
    const removed = (await desk('draft', key, '--discard')).json(reportDraftSchema.loose());
    expect(removed).toMatchObject({ id: made.id, discarded: true });
    expect((await desk('draft', key)).code).toBe(1);
  });

  it('hands it in, once', async () => {
    await drafted('To submit');
    const item = (await desk('draft', key, '--submit')).json(printedItem);
    expect(item).toMatchObject({ kind: 'report', state: 'waiting', act: { comment: 'To submit' } });
    expect((await desk('draft', key, '--submit')).json(errorSchema).code).toBe('draft_not_found');
    await desk('sync');
    expect((await shown(String(item.id))).state).toBe('delivered');
  });

  it('asks which one is meant if there are several, and takes one option at a time', async () => {
    const first = (await drafted('One')).json(reportDraftSchema);
    const second = (await drafted('Two')).json(reportDraftSchema);
    const unclear = await desk('draft', key, '--submit');
    expect(unclear.code).toBe(2);
    expect(unclear.stderr).toContain(second.id);
    expect((await desk('draft', key, '--submit', '--discard')).code).toBe(2);
    await desk('draft', key, '--draft', first.id, '--discard');
    expect((await desk('draft', key)).json(reportDraftSchema).comment).toBe('Two');
    await desk('draft', key, '--discard');
  });
});

describe('desk queue', () => {
  it('shows above the table and of each entry what the window shows, in English as its heads', async () => {
    let stderr = '';
    let stdout = '';
    const items = [
      queueItem({ waitingFor: 'acceptance' }),
      queueItem({ waitingFor: 'retry', nextAttemptAt: '2026-01-01T00:00:00Z' }),
    ];
    const streams = {
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text) },
    };
    const { delivery } = syncStatus();
    Object.assign(delivery, { done: 3, total: 12, goesOut: 4, awaits: 2 });
    // This command asks the insurer nothing.
    const status = syncStatus({ network: 'unknown', waiting: 6, attention: 1, delivery });
    const engine = {
      queue: { list: () => Promise.resolve({ items, total: items.length }) },
      sync: { status: () => Promise.resolve(status) },
    };
    const context = {
      engine: engine as unknown as CommandContext['engine'],
      output: createOutput(streams, false, { language: 'de', commandName: 'desk' }),
      language: 'de',
      signal: new AbortController().signal,
      endWith: vi.fn(),
    } as const;
    await queue()(context as unknown as CommandContext);
    expect(stderr.split('\n')).toEqual([
      '1 entry needs attention.',
      '3 of 12 delivered, completion time not known yet',
      '2 entries wait until the case is accepted.',
      '',
    ]);
    expect(stdout).toContain('Waiting for the case to be accepted');
    // Its next attempt is due; no time that is over is named.
    expect(stdout).toContain('Saved on this device');
    // What is read by programs is a list, which does not change by itself from call to call.
    const keys = Object.keys((await desk('queue')).json(z.looseObject({})));
    expect(keys).toEqual(['items', 'total', 'notices']);
  });
});
