import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseInProgress, createDeskRunner, errorSchema } from '../../support/desk-in-process.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';

const folder = serviceFolderHere();
const { at } = folder;
let service: ServiceHere;
beforeAll(async () => {
  service = await folder.start('--demo', '12', '--limits', 'x10');
});
afterAll(folder.end);

/** Windows has neither in its file system. */
describe.skipIf(process.platform === 'win32')('a FIFO or a device given as a file', () => {
  it('is refused at once, by every command that reads one', async () => {
    const fifo = at('fifo.pdf');
    execFileSync('mkfifo', [fifo]);
    const env = { DESK_BACKUP_PASSPHRASE: 'correct horse' };
    const desk = createDeskRunner(at('special'), { env });
    await desk('connect', '--credentials', service.credentialsPath);
    await desk('sync');
    const id = await caseInProgress(desk);
    const { baseUrl, audience } = service.listening;
    const connection = ['--base-url', baseUrl, '--audience', audience, '--client-id', 'c'];
    const commands = [fifo, '/dev/zero'].flatMap((file) => [
      ['report', id, '--file', file],
      ['connect', ...connection, '--key', file],
      ['connect', '--credentials', file],
      ['batch', at(), '--sheet', file],
      ['restore', file],
    ]);
    for (const command of commands) {
      const run = await desk(...command);
      const { code } = run.json(errorSchema);
      expect([run.code, code], command.join(' ')).toEqual([1, 'file_not_regular']);
    }
  });

  it('as the policy stops the start', async () => {
    const fifo = at('policy.json');
    execFileSync('mkfifo', [fifo]);
    const desk = createDeskRunner(at('special'), { env: { DESK_POLICY: fifo } });
    const run = await desk('cases');
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'policy_invalid']);
  });
});
