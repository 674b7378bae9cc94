import { join, relative } from 'node:path';
import { afterAll } from 'vitest';
import { coreSecondsOfAll, noteCost } from '../../scripts/lib/core-seconds.mjs';

const root = join(import.meta.dirname, '../..');

// A set-up file runs again for each test file, before that file is loaded.
const before = coreSecondsOfAll();

// The first `afterAll` runs last.
// oxlint-disable-next-line no-empty-pattern -- vitest takes no other pattern if nothing is asked for
afterAll(({}, file) => {
  noteCost({
    file: relative(root, file.file.filepath),
    runner: file.file.projectName ?? '',
    seconds: coreSecondsOfAll() - before,
  });
});
