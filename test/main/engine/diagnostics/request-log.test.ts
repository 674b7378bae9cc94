import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { RequestLog } from '#main/engine/diagnostics/request-log.ts';
import { testFolder } from '../support/test-engine.ts';

let dir: string;
beforeEach(() => {
  dir = testFolder();
});

const open = () => new RequestLog(dir, () => Date.UTC(2026, 2, 2));
const entry = {
  operation: 'X1',
  method: 'GET',
  status: 200,
  problem: null,
  correlationId: '6f1b2a54-7a55-4b52-9d8b-3f6f0a1c2d3e',
  durationMs: 12.5,
};

it('is there after a crash, also one in the middle of a line', () => {
  open().add(entry);
  appendFileSync(join(dir, 'requests.log'), '{"at":"2026-');
  const later = open();
  expect(later.entries).toEqual([{ at: '2026-03-02T00:00:00.000Z', ...entry }]);
  later.add({ ...entry, operation: 'X2' });
  later.add({ ...entry, operation: 'X4' });
  expect(open().entries.map(({ operation }) => operation)).toEqual(['X1', 'X4']);
});

it('retains the last 500, in two files of at most 500 lines that only their owner may read', () => {
  const log = open();
  for (let number = 0; number < 1600; number += 1) log.add({ ...entry, durationMs: number });
  expect(log.entries).toHaveLength(500);
  expect(log.entries.at(-1)?.durationMs).toBe(1599);
  for (const name of ['requests.log', 'requests.1.log']) {
    expect(readFileSync(join(dir, name), 'utf8').split('\n').length).toBeLessThanOrEqual(501);
    expect(statSync(join(dir, name)).mode & 0o077).toBe(0);
  }
});

it('contains nothing that a server could put into its answers', () => {
  open().add({ ...entry, correlationId: 'Meier-ZH-123456' });
  open().add({ ...entry, operation: 'Meier ZH 123456' });
  expect(readFileSync(join(dir, 'requests.log'), 'utf8')).not.toContain('Meier');
  expect(open().entries).toMatchObject([{ correlationId: null }]);
});

it('lets no request fail that cannot be noted', () => {
  const log = open();
  rmSync(dir, { recursive: true });
  expect(() => log.add(entry)).not.toThrow();
  expect(log.entries).toEqual([]);
});
