import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { suggestFiles } from '#main/engine/calls/tools.ts';
import { testFolder } from '../support/test-folder.ts';

let home: string;
beforeEach(() => {
  home = testFolder();
});

// Late in the evening in UTC it is the next day in Zurich.
const now = Date.parse('2026-11-20T23:30:00Z');

it('suggests files of today in the folder of documents, else in the person’s own', () => {
  expect(suggestFiles(now, home)).toEqual({
    backup: join(home, 'appraiser-desk-backup-2026-11-21.desk'),
    bundle: join(home, 'appraiser-desk-diagnostics-2026-11-21.zip'),
  });
  mkdirSync(join(home, 'Documents'));
  expect(suggestFiles(now, home).bundle).toBe(
    join(home, 'Documents', 'appraiser-desk-diagnostics-2026-11-21.zip'),
  );
});

it('suggests none that is there', () => {
  for (const taken of ['', '-2']) writeFileSync(suggestFiles(now, home).backup, taken);
  expect(suggestFiles(now, home).backup).toBe(
    join(home, 'appraiser-desk-backup-2026-11-21-3.desk'),
  );
});
