import { describe, expect, it } from 'vitest';
import { progressBar } from '#main/cli/progress.ts';

describe('progressBar', () => {
  it.each([
    [0, 10, '[                        ]   0 %'],
    [1, 3, '[========                ]  33 %'],
    [10, 10, '[========================] 100 %'],
    // More than was announced, and nothing to do at all.
    [11, 10, '[========================] 100 %'],
    [0, 0, '[========================] 100 %'],
  ])('%i of %i', (done, total, bar) => {
    expect(progressBar(done, total)).toBe(bar);
  });

  it('is never full before the end', () => {
    expect(progressBar(999, 1000)).toContain(' 99 %');
  });
});
