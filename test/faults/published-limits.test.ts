import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncResultSchema } from '#shared/desk/sync.ts';
import {
  runDesk,
  type RunningService,
  startService,
  temporaryFolder,
} from '../support/processes.ts';
import { makePdf, writeSample } from '../support/sample-files.ts';
import { openServerView, type ServerView } from '../support/server-view.ts';

/** The buckets are real time: 30 documents take a minute, and this test with them. */
describe('with the published limits on', () => {
  const folder = temporaryFolder();
  const home = join(folder.path, 'home');
  let service: RunningService;
  let server: ServerView;

  beforeAll(async () => {
    const dataDir = join(folder.path, 'service');
    mkdirSync(dataDir);
    service = await startService({ dataDir, args: ['--demo', '2000', '--port', '0'] });
    server = await openServerView(service.credentials);
  }, 180_000);
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it('a first sync of 2,000 cases and a delivery of 30 documents is never throttled', async () => {
    const credentials = ['connect', '--credentials', service.credentialsPath, '--as', 'expert'];
    const connected = await runDesk(home, ...credentials);
    expect(connected.code, connected.stderr).toBe(0);
    const first = (await runDesk(home, 'sync')).json(syncResultSchema);
    expect(first.throttled).toBe(0);
    expect(first.pulled).toBeGreaterThan(1500);

    const listed = await server.expert.request('GET', '/v1/experts/cases?status=Accepted&size=1');
    const [accepted] = (listed.json as { Items: { Id: string }[] }).Items;
    const caseId = accepted?.Id ?? '';
    const files: string[] = [];
    for (let n = 1; n <= 30; n += 1) {
      const name = `Beilage ${String(n).padStart(2, '0')}.pdf`;
      files.push('--file', writeSample(folder.path, name, await makePdf(name)));
    }
    const queued = await runDesk(home, 'report', caseId, ...files, '--submit');
    expect(queued.code, queued.stderr).toBe(0);

    const delivered = (await runDesk(home, 'sync')).json(syncResultSchema);
    expect(delivered).toMatchObject({ throttled: 0, waiting: 0, attention: 0 });
    // Read back as the insurer: the expert's bucket of documents is empty, as it should be.
    const claim = `/v1/insurers/claims/${caseId}/reports`;
    const reports = await server.insurer.request('GET', claim);
    const [report] = (reports.json as { Items: { Id: string; Status: string }[] }).Items;
    expect(report).toMatchObject({ Status: 'Submitted' });
    const documents = await server.insurer.request('GET', `${claim}/${report?.Id}/documents`);
    expect(documents.json).toMatchObject({ Total: 30 });
  }, 300_000);
});
