import { expect, it } from 'vitest';
import { onLongWork, type LongWork } from '#main/log/long-work.ts';
import { parseJsonObject, parseWatched } from '#main/partner/answers/read-answer.ts';

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
