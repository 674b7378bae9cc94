import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { onLongWork, type LongWork } from '#main/log/long-work.ts';
import { parseJsonObject, parseWatched, readJson } from '#main/partner/answers/read-answer.ts';

/** Four times as dense as any answer that is parsed, so that any machine takes longer than 50 ms. */
const dense = `[${'[],'.repeat(2_800_000)}1]`;
const answer = { status: 200, headers: {}, body: [] } as unknown as Parameters<
  typeof parseJsonObject
>[1];

it('reports the operation whose answer takes too long to parse, and nothing of the answer', () => {
  const found: LongWork[] = [];
  const stop = onLongWork((work) => found.push(work));
  parseJsonObject('{"Total":0}', answer, 'partner.example', 'X1');
  parseJsonObject(dense, answer, 'partner.example', 'X1');
  parseWatched('refusal', dense);
  stop();
  const ms = expect.any(Number) as number;
  expect(found).toEqual([
    { operation: 'parse X1', ms, size: dense.length },
    { operation: 'parse refusal', ms, size: dense.length },
  ]);
});

it('lets others run between the steps of reading a large answer', async () => {
  const text = `{"Items":["${'x'.repeat(2_000_000)}"]}`;
  let turns = 0;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const body = Readable.from([Buffer.from(text)]);
  expect(await readJson({ status: 200, headers: {}, body }, 'partner.example', 'X1')).toEqual(
    JSON.parse(text),
  );
  clearImmediate(next);
  // It is put together, decoded, parsed, and then checked by the caller.
  expect(turns).toBeGreaterThanOrEqual(3);
});
