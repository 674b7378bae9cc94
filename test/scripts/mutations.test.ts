import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newSurvivors, readReport } from '../../scripts/lib/mutants.mjs';
import { root } from '../support/processes.ts';

const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const files = z
  .record(z.string(), z.array(z.string()).min(1))
  .parse(JSON.parse(read('test/mutation/files.json')));
const explained = z
  .array(
    z.strictObject({
      file: z.string(),
      mutator: z.string(),
      line: z.string().min(1),
      to: z.string(),
      because: z.string().min(10),
    }),
  )
  .parse(JSON.parse(read('test/mutation/survivors.json')));

describe('the list of mutations', () => {
  it('names files and tests that exist', () => {
    const named = [...Object.keys(files), ...Object.values(files).flat()];
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  it('explains changes of lines that exist, in files that are run', () => {
    const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    const gone = explained.filter(
      ({ file, line }) => !(file in files) || !read(file).split('\n').map(plain).includes(line),
    );
    expect(gone).toEqual([]);
  });
});

describe('the report of a file', () => {
  const source = 'one();\n  if (a > 1) two();\n';
  const mutant = (status: string, line: number, replacement: string) => ({
    status,
    mutatorName: 'M',
    replacement,
    location: { start: { line } },
  });
  const { survivors, ...counts } = readReport({
    files: {
      'a.ts': {
        source,
        mutants: [
          mutant('Killed', 1, 'x'),
          mutant('Timeout', 1, 'y'),
          mutant('Survived', 2, 'a >= 1'),
          mutant('NoCoverage', 2, 'true'),
          mutant('Ignored', 2, 'z'),
        ],
      },
    },
  });
  const line = 'if (a > 1) two();';

  it('counts what was noticed, and what not', () => {
    expect(counts).toEqual({ mutants: 4, killed: 2 });
    expect(survivors.map(({ to }) => to)).toEqual(['a >= 1', 'true']);
    expect(survivors[0]).toEqual({ file: 'a.ts', mutator: 'M', line, to: 'a >= 1' });
  });

  it('has nothing new if each survivor is explained, wherever its line has moved', () => {
    const because = 'it changes nothing';
    const known = survivors.map((each) => ({ ...each, line: `  ${line}  `, because }));
    expect(newSurvivors(survivors, known)).toEqual([]);
    expect(newSurvivors(survivors, known.slice(1))).toEqual([survivors[0]]);
    const other = known.map((each) => ({ ...each, to: 'false' }));
    expect(newSurvivors(survivors, other)).toEqual(survivors);
  });
});
