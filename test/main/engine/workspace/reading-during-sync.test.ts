import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { caseCalls } from '#main/engine/calls/cases.ts';
import { caseDetail } from '#main/engine/cases/case-view.ts';
import { fetchList } from '#main/engine/sync/fetch-documents.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { startPractice } from '#main/shell/practice.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { testFolder } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

async function open(): Promise<OpenWorkspace> {
  const practice = await startPractice({
    dataDir: join(testFolder(), 'x'),
    storeKey: 'ef'.repeat(32),
    language: 'de',
  });
  onTestFinished(() => practice.stop());
  const { baseUrl, audience, expert, limits } = practice;
  return await openTestWorkspace({
    record: workspaceRecord({ baseUrl, audience, clientId: expert.clientId }),
    privateKeyPem: expert.privateKeyPem,
    policy: { limits },
  });
}

/** Every reader of a document gets no byte from now on until it is released. */
function blockFiles({ cacheFiles }: OpenWorkspace) {
  const begun = Promise.withResolvers<null>();
  const released = Promise.withResolvers<null>();
  const openFile = cacheFiles.open.bind(cacheFiles);
  vi.spyOn(cacheFiles, 'open').mockImplementation((blobId, range) => {
    async function* content() {
      begun.resolve(null);
      await released.promise;
      yield* openFile(blobId, range) as AsyncIterable<Buffer>;
    }
    return Readable.from(content());
  });
  return { begun: begun.promise, release: () => released.resolve(null) };
}

it('a round runs from its beginning to its end while the text of a document is read', async () => {
  const workspace = await open();
  const { cache, sync } = workspace;
  await sync.run({ documents: 'none' });
  const unread = () =>
    cache.documents.index.unread({ contentTypes: ['application/pdf'], resting: [], limit: 9 });

  const reads = blockFiles(workspace);
  const [caseId = '', other = ''] = cache.ids({ status: 'InProgress' });
  await fetchList(sync.fetchContext(), caseId, 'person');
  const { items } = cache.documents.list(caseId);
  const pdf = items.find(({ contentType }) => contentType === 'application/pdf');
  await workspace.fetcher.fetch(caseId, pdf?.id ?? '');
  await reads.begun;
  expect(unread()).toHaveLength(1);

  const { id } = await caseCalls(() => workspace).setAmounts({
    id: other,
    costEstimateRappen: 120_000,
  });
  const { delivered } = await sync.run({ documents: 'none' });
  expect(delivered).toBe(1);
  expect(workspace.work.outbox.rows.get(id).state).toBe('delivered');
  expect(caseDetail(workspace, other).server.costEstimateRappen).toBe(120_000);
  expect(unread()).toHaveLength(1);

  reads.release();
  await workspace.readTexts();
  expect(unread()).toHaveLength(0);
});
