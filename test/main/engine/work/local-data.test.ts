import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWork } from '#main/engine/work/open-work.ts';
import { everyCaseIsOwn } from '#shared/desk/own-cases.ts';

const openIn = (dir: string) =>
  openWork({ dir, keyHex: 'ab'.repeat(32), now: () => 0, newId: () => crypto.randomUUID() });

it('visits, plans, marks and the rule travel in a backup, and replace nothing that is there', () => {
  const dirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'desk-local-')));
  const [from, to] = dirs.map(openIn);
  if (!from || !to) throw new Error('two stores are open');
  const rule = { ...everyCaseIsOwn, mode: 'rule' as const, postalCodes: '8000-8499' };
  from.local.setVisit('a', { time: '09:30', note: 'back door' });
  from.local.setVisit('b', { time: null, note: 'theirs' });
  from.local.setPlan('2026-06-15', ['b', 'a']);
  from.local.mark(['a'], true);
  from.local.setOwnRule(rule);
  to.local.setVisit('b', { time: null, note: 'mine' });
  const packed = from.transfer.pack();
  to.transfer.unpack(packed, { packedAtMs: 0, blobIdOf: () => '' });
  expect(Object.fromEntries(to.local.visits(['a', 'b']))).toEqual({
    a: { time: '09:30', note: 'back door' },
    b: { time: null, note: 'mine' },
  });
  expect(to.local.plan('2026-06-15')).toEqual(['b', 'a']);
  expect([...to.local.marks()]).toEqual([['a', true]]);
  expect(to.local.ownRule()).toEqual(rule);
  from.close();
  to.close();
  for (const dir of dirs) rmSync(dir, { recursive: true });
});
