import { expect, it, onTestFinished } from 'vitest';
import { keepingAnswers } from '../e2e/launch-electron.ts';

const lost = 'electronApplication.evaluate: Resulting promise was garbage collected.';

/** The main process loses the first answers of each call, after its function ran. */
function mainProcess({ losing }: { losing: number }) {
  Reflect.deleteProperty(globalThis, 'answers');
  const asked = { times: 0 };
  const evaluate = keepingAnswers(async (act, arg) => {
    const answer = await act({ named: 'electron' }, arg);
    asked.times += 1;
    if (asked.times <= losing) throw new Error(lost);
    return answer;
  });
  return { asked, evaluate };
}

it('asks again for an answer that was lost, and runs the function once', async () => {
  const { asked, evaluate } = mainProcess({ losing: 2 });
  const act = (_electron: unknown, step: number) => {
    const count = Number(Reflect.get(globalThis, 'count') ?? 0) + step;
    Reflect.set(globalThis, 'count', count);
    return count;
  };
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'count'));
  expect([await evaluate(act, 3), asked.times]).toEqual([3, 3]);
  expect(await evaluate(act, 3)).toBe(6);
});

it('hands over what Electron offers, and waits for a later answer', async () => {
  const { evaluate } = mainProcess({ losing: 1 });
  const act = (electron: { named: string }) => Promise.resolve(electron.named);
  expect(await evaluate(act)).toBe('electron');
});

it('gives up after five times, and at once if the function itself failed', async () => {
  const { asked, evaluate } = mainProcess({ losing: Number.POSITIVE_INFINITY });
  await expect(evaluate(() => 1)).rejects.toThrow(lost);
  expect(asked.times).toBe(5);
  await expect(
    evaluate(() => {
      throw new Error('of the function');
    }),
  ).rejects.toThrow('of the function');
  expect(asked.times).toBe(5);
});
