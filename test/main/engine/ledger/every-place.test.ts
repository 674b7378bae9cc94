import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { CommandContext } from '#main/cli/command.ts';
import { queue } from '#main/cli/commands/queue.ts';
import { unfinished } from '#main/cli/commands/unfinished.ts';
import { createOutput } from '#main/cli/output.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import type { Engine } from '#main/engine/engine.ts';
import { ledgerSchema } from '#shared/desk/delivery/ledger.ts';
import { ledgerSums } from '#shared/desk/delivery/ledger-counts.ts';
import { outboxCounts, quitStatements } from '#shared/desk/delivery/statements.ts';
import { queueListSchema } from '#shared/desk/delivery/queue.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

// What the user does at random, over a real engine; after each act every place that counts or lists
// unfinished work is read, and none says anything else than the others.

const { starter } = sharePractice();
let desk: Engine;
let home: string;
let vault: Vault;
let caseIds: string[] = [];

beforeEach(async () => {
  home = testFolder();
  vault = testKeychain();
  desk = await openTestEngine({ home, vault, practice: starter });
  await desk.sync.run({ documents: 'none' });
  // What is queued waits, so that every state stays as the test made it.
  await desk.sync.setPaused({ paused: true });
  const lists = await Promise.all(
    (['Accepted', 'InProgress', 'Assigned'] as const).map((status) => desk.cases.list({ status })),
  );
  caseIds = lists.flatMap(({ items }) => items.slice(0, 3).map(({ id }) => id));
});

/** The only line that a command writes with --json. */
async function asJson(command: (context: CommandContext) => Promise<void> | void) {
  let text = '';
  const streams = {
    stdout: { write: (part: string) => (text += part) },
    stderr: { write: () => 0 },
  };
  const output = createOutput(streams, true, { language: 'de', commandName: 'desk' });
  await command({ engine: desk, output, language: 'de' } as unknown as CommandContext);
  return JSON.parse(text) as unknown;
}

async function assertAgreed(): Promise<void> {
  const status = await desk.sync.status();
  const ledger = await desk.day.unfinished({});
  const { counts } = ledger;
  expect(status.unfinished).toEqual(counts);
  const sums = ledgerSums(counts);
  expect({ waiting: status.waiting, attention: status.attention }).toEqual({
    waiting: sums.waiting,
    attention: sums.attention,
  });
  const { goesOut, awaits } = status.delivery;
  expect(goesOut + awaits).toBe(sums.waiting);
  // The lists that the pages show.
  const open = await desk.queue.list({ includeDone: false, limit: 5000 });
  expect(open.total).toBe(sums.waiting + sums.attention);
  const drafts = (await desk.reports.drafts()).items.filter(({ queueId }) => queueId === null);
  expect(drafts).toHaveLength(counts.draft);
  expect((await desk.edits.list()).total).toBe(counts.typed);
  const idsOf = (kind: string) =>
    ledger.items.flatMap((entry) => (entry.kind === kind ? (entry.draftId ?? entry.caseId) : []));
  expect(idsOf('draft').toSorted()).toEqual(drafts.map(({ id }) => id).toSorted());
  // Tray, status bar and navigation, and the box before the end.
  const bar = outboxCounts(status).map((one) => [one.count, 'n' in one ? one.n : 0]);
  const isNothing = sums.attention + sums.waiting + sums.begun === 0;
  const { attention, waiting, begun } = sums;
  const all = Object.entries({ attention, waiting, begun }).filter(([, n]) => n > 0);
  expect(bar).toEqual(isNothing ? [['nothing', 0]] : all);
  const box = quitStatements({ ...status, goesOut, awaits, kept: true });
  const told = Object.fromEntries(box.map((one) => [one.state, 'n' in one ? one.n : 0]));
  expect(told['paused'] ?? 0).toBe(goesOut);
  expect(told['awaits'] ?? 0).toBe(awaits);
  expect(told['begun'] ?? 0).toBe(sums.begun);
  // The command line.
  expect(ledgerSchema.parse(await asJson(unfinished()))).toEqual(ledger);
  const listed = queueListSchema
    .pick({ total: true })
    .extend({ items: z.array(z.object({ state: z.string() })) })
    .parse(await asJson(queue()));
  const isOpen = ({ state }: { state: string }) => state !== 'delivered' && state !== 'discarded';
  expect(listed.items.filter(isOpen)).toHaveLength(open.total);
}

type Act = readonly [kind: string, which: number];
const act = fc.tuple(
  fc.constantFrom('type', 'untype', 'draft', 'file', 'submit', 'discard', 'amounts', 'comment'),
  fc.nat(8),
);

async function perform([kind, which]: Act): Promise<void> {
  const id = caseIds[which % caseIds.length] ?? '';
  const drafts = (await desk.reports.drafts()).items.filter(({ queueId }) => queueId === null);
  const draftId = drafts[which % Math.max(1, drafts.length)]?.id;
  const waiting = (await desk.queue.list({ includeDone: false })).items;
  const row = waiting[which % Math.max(1, waiting.length)];
  switch (kind) {
    case 'type':
      await desk.edits.save({ id, estimate: String(which * 100), comment: 'typed' });
      break;
    case 'untype':
      await desk.edits.save({ id, estimate: null });
      break;
    case 'draft':
      await desk.reports.createDraft({ id });
      break;
    case 'file':
      if (draftId !== undefined)
        await desk.files.addAttachment(draftId, {
          fileName: 'note.txt',
          isSalvageSale: false,
          content: Readable.from([Buffer.from(`note ${which}`)]),
        });
      break;
    case 'submit': {
      const filled = drafts.find(({ attachments }) => attachments.length > 0);
      if (filled) await desk.reports.submitDraft({ draftId: filled.id });
      break;
    }
    case 'discard':
      if (row) await desk.queue.discard({ id: row.id });
      break;
    case 'amounts':
      await desk.cases.setAmounts({ id, costEstimateRappen: 100 + which });
      break;
    default:
      await desk.cases.setComment({ id, text: `seen ${which}` });
  }
}

it('no two places differ, whatever the user does', async () => {
  await assertAgreed();
  const seen = { typed: 0, draft: 0, visit: 0, waiting: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 8 }), async (acts) => {
      for (const one of acts) {
        await perform(one);
        await assertAgreed();
      }
      const { unfinished: counts } = await desk.sync.status();
      for (const kind of ['typed', 'draft', 'visit', 'waiting'] as const)
        seen[kind] += counts[kind];
    }),
    { numRuns: 8 },
  );
  expect(Object.values(seen).every((n) => n > 0)).toBe(true);
});

it('what is typed is saved in one step, and a fault keeps it all as typed', async () => {
  const [id = ''] = caseIds;
  await desk.edits.save({ id, estimate: '12 apples', comment: 'a dent' });
  await expect(desk.cases.saveTyped({ id })).rejects.toMatchObject({ code: 'amount_not_a_number' });
  expect(await desk.edits.list()).toMatchObject({ items: [{ estimate: '12 apples' }] });
  await desk.edits.save({ id, estimate: '1’250.50' });
  await desk.cases.saveTyped({ id });
  expect((await desk.edits.list()).total).toBe(0);
  const acts = (await desk.queue.list({ caseId: id })).items.map((item) => item.act);
  expect(acts).toContainEqual({ kind: 'comment', text: 'a dent' });
  expect(acts).toContainEqual(
    expect.objectContaining({ kind: 'amounts', costEstimateRappen: 125_050 }),
  );
});

it('a draft of a case that is not on this laptop any more stays in the ledger', async () => {
  const [id = ''] = caseIds;
  const { id: draftId } = await desk.reports.createDraft({ id });
  await desk.close();
  const [cache = ''] = globSync('workspaces/*/cache.db', { cwd: home });
  rmSync(join(home, cache));
  desk = await openTestEngine({ home, vault, practice: starter });
  expect((await desk.cases.list({})).total).toBe(0);
  const { items, counts } = await desk.day.unfinished({ kinds: ['draft'] });
  expect(items).toMatchObject([{ caseId: id, act: 'open', draftId, externalKey: '' }]);
  expect(counts.draft).toBe(1);
});

it('a postponed entry stays in the ledger and its counts, with its reason', async () => {
  const [id = ''] = caseIds;
  await desk.reports.createDraft({ id });
  const read = async () => (await desk.day.unfinished({ kinds: ['draft'] })).items[0];
  const { key = '' } = (await read()) ?? {};
  const { unfinished: counts } = await desk.sync.status();
  await desk.day.postpone({ key, reason: ' the estimate is missing ' });
  expect(await read()).toMatchObject({ postponed: { reason: 'the estimate is missing' } });
  expect((await desk.sync.status()).unfinished).toEqual(counts);
  await desk.day.postpone({ key, reason: null });
  expect(await read()).toMatchObject({ postponed: null });
});
