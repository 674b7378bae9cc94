import { beforeEach, expect, test } from 'vitest';
import { storeContent } from '#main/front/contents/contents.ts';
import { createContentCopy } from '#main/gateway/reading/content-copy.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog, type MemoryLog } from '../../service/support/memory-log.ts';
import { shareGatewayStore } from '../support/store.ts';

/* The copy of what is passed on: kept whole, or not at all, and never in the way. */

const store = shareGatewayStore();
/** More than is collected in memory. */
const bytes = Buffer.alloc(4_000_000, 'abc');
let log: MemoryLog;

beforeEach(() => {
  log = createMemoryLog();
});

const open = () =>
  createContentCopy({ db: store().db, objects: undefined, clock: machineClock, log: log.log });
const stored = () => store().db.selectFrom('contents').select('stored').execute();
const messages = () => log.lines.map((line) => (JSON.parse(line) as { msg: string }).msg);

test('copy: what was stored stays when it ends, and what was not leaves nothing', async () => {
  const copy = open();
  await copy.push(bytes);
  await copy.store(async (content) => {
    await storeContent(store().db, content, machineClock.now());
    return true;
  });
  await copy.end();
  expect(await stored()).toEqual([{ stored: 1 }]);

  const unneeded = open();
  await unneeded.push(bytes);
  expect(await stored()).toHaveLength(2);
  await unneeded.store(() => Promise.resolve(false));
  await unneeded.end();
  expect([await stored(), log.lines]).toEqual([[{ stored: 1 }], []]);
});

test('copy: what cannot be stored or discarded is logged, each once, and fails nothing', async () => {
  const copy = open();
  await copy.push(bytes);
  await store().db.schema.dropTable('content_chunks').execute();
  for (let times = 0; times < 2; times += 1) await copy.push(bytes);
  await copy.store(() => expect.unreachable('it failed before'));
  await store().db.schema.dropTable('contents').execute();
  await copy.end();
  expect(messages()).toEqual(['a document was not stored', 'not discarded']);
});
