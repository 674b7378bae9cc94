/**
 * The first start of a desk in the folder `argv[2]`, which is a small disk, or with at most
 * `argv[3]` open files (disk-full.test.ts). Prints how it ended.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { waitLimitMs } from '../../support/long.ts';
import { root } from '../../support/processes.ts';

const [, , path = '', limit = ''] = process.argv;
const desk = ['main/start.ts', '--shell', 'browser', '--no-open', '--lang', 'en'];
const args = [...desk, '--vault', 'passphrase', '--home', join(path, 'home')];
const script = `${limit === '' ? '' : `ulimit -n ${limit};`} exec "$0" "$@"`;
const { status: code, stderr } = spawnSync('sh', ['-c', script, process.execPath, ...args], {
  cwd: root,
  encoding: 'utf8',
  env: { ...process.env, DESK_VAULT_PASSPHRASE: 'for this test alone' },
  // A desk that started all the same would stay.
  timeout: waitLimitMs,
});
process.stdout.write(JSON.stringify({ code, stderr }));
