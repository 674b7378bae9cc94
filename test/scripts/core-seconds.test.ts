import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  coreSecondsOfAll,
  coreSecondsOfEnded,
  listOfCosts,
  sumCosts,
} from '../../scripts/lib/core-seconds.mjs';

describe('the processor time that npm test prints', () => {
  const parts = [
    { title: 'build', coreSeconds: 8 },
    { title: 'unit, contract, faults', coreSeconds: 92.04 },
  ];
  const cost = (file: string, seconds: number, runner = 'node') => ({ file, runner, seconds });

  it.skipIf(process.platform !== 'linux')('has that of programs that ended', () => {
    const [ended, all] = [coreSecondsOfEnded(), coreSecondsOfAll()];
    spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 60_000);']);
    expect(coreSecondsOfEnded() - ended).toBeGreaterThanOrEqual(0.05);
    expect(coreSecondsOfAll() - all).toBeGreaterThanOrEqual(0.05);
  });

  it('is summed for each file and runner, the dearest first', () => {
    const noted = [cost('a.ts', 1), cost('b.ts', 2), cost('a.ts', 3), cost('a.ts', 1, 'postgres')];
    expect(sumCosts(noted.map((each) => `${JSON.stringify(each)}\n`).join(''))).toEqual([
      cost('a.ts', 4),
      cost('b.ts', 2),
      cost('a.ts', 1, 'postgres'),
    ]);
    expect(sumCosts('')).toEqual([]);
  });

  it('names the parts and the dearest files', () => {
    expect(listOfCosts(parts, [cost('a.ts', 4), cost('b.ts', 0.04)])).toBe(
      [
        'core-seconds:',
        '     8.0  build',
        '    92.0  unit, contract, faults',
        '   100.0  together',
        'dearest test files:',
        '     4.0  node a.ts',
        '     0.0  node b.ts',
        '\n',
      ].join('\n'),
    );
  });

  it('names fifteen files, and every one that is over the budget', () => {
    const namedOf = (seconds: number) => {
      const list = listOfCosts(
        parts,
        Array.from({ length: 20 }, (_, n) => cost(`${n}.ts`, seconds)),
      );
      return list.split('\n').filter((line) => line.includes('.ts'));
    };
    expect(namedOf(25)).toHaveLength(15);
    expect(namedOf(25.1)).toHaveLength(20);
    expect(namedOf(25.1)[0]).toBe(
      '    25.1  node 0.ts: over the 25 s that a file should take at most',
    );
  });

  it('is not named where the system does not say it', () => {
    expect(listOfCosts([{ title: 'build', coreSeconds: 0 }], [])).toBe('');
  });
});
