import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { defaultDocumentRule } from '#shared/desk/storage.ts';
import { openWorkspace, type OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { WorkspaceSession } from '#main/engine/workspace/session.ts';
import { startPractice } from '#main/shell/practice.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';

async function open(): Promise<WorkspaceSession> {
  const dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  const practice = await startPractice({ dataDir: join(dir, 'x'), storeKey: 'ef'.repeat(32) });
  onTestFinished(async () => {
    await practice.stop();
    rmSync(dir, { recursive: true });
  });
  const { baseUrl, audience, expert, limits } = practice;
  const workspace = await openWorkspace({
    record: {
      id: 'test',
      kind: 'connection',
      name: 'Test',
      baseUrl,
      audience,
      clientId: expert.clientId,
      scope: null,
      htuWithoutQuery: false,
    },
    dir,
    keys: {
      database: 'ab'.repeat(32),
      privateKey: createPrivateKey(expert.privateKeyPem),
      dpopKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    },
    policy: { limits },
    documentRule: () => defaultDocumentRule,
    onDamage: () => undefined,
    clock: systemClock,
    random: systemRandom,
    emit: () => undefined,
  });
  onTestFinished(() => workspace.close());
  return new WorkspaceSession({ workspace, clock: systemClock, emit: () => undefined });
}

/** Whoever reads a document from now on gets no byte until it is let go. */
function holdFiles({ cacheFiles }: OpenWorkspace) {
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
  const session = await open();
  const { workspace } = session;
  const { cache, sync } = workspace;
  await sync.run({ documents: 'none' });
  const unread = () =>
    cache.documents.index.unread({ contentTypes: ['application/pdf'], resting: [], limit: 9 });

  const held = holdFiles(workspace);
  const [caseId = '', other = ''] = session.caseIds({ status: 'InProgress' });
  const { items } = await session.listDocuments(caseId, true);
  const pdf = items.find(({ contentType }) => contentType === 'application/pdf');
  await session.fetchDocument(caseId, pdf?.id ?? '');
  await held.begun;
  expect(unread()).toHaveLength(1);

  const { id } = session.setAmounts({ id: other, costEstimateAmount: 1200 });
  const { delivered } = await sync.run({ documents: 'none' });
  expect(delivered).toBe(1);
  expect(session.queue.getQueueItem(id).state).toBe('delivered');
  expect(session.getCase(other).server.costEstimateAmount).toBe(1200);
  expect(unread()).toHaveLength(1);

  held.release();
  await workspace.readTexts();
  expect(unread()).toHaveLength(0);
});
