import { expect, it, vi } from 'vitest';
import { documentCalls } from '#main/engine/calls/documents.ts';
import type { FileStream } from '#main/engine/blobs/file-stream.ts';
import { OpenedCopies } from '#main/engine/home/opened-copies.ts';
import { sampleCase, testFolder } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

it('a drag is let go although an earlier one of the same document ends before it', async () => {
  const workspace = await openTestWorkspace();
  const { cache, cacheFiles } = workspace;
  const { id: caseId } = sampleCase(1);
  cache.cases.upsert([sampleCase(1)]);
  const document = { id: 'd', fileName: 'a.txt', contentType: 'text/plain', sizeBytes: 1 };
  const read = { listedAt: '', lastChangedAt: '' };
  cache.documents.replaceList(caseId, [{ ...document, createdAt: '' }], read);
  const writer = await cacheFiles.createWriter();
  await writer.write(Buffer.from('a'));
  cache.documents.setBlob(caseId, 'd', (await writer.finish()).blobId);

  const written = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
  const waiting = [...written];
  class SlowCopies extends OpenedCopies {
    override async add(file: FileStream): Promise<string> {
      const mine = waiting.shift();
      const path = await super.add(file);
      await mine?.promise;
      return path;
    }
  }
  const handOver = vi.fn(() => Promise.resolve(true));
  const calls = documentCalls(() => workspace, { copies: new SlowCopies(testFolder()), handOver });
  const drag = () => calls.handOver({ caseId, documentId: 'd', to: 'drop' });
  const ends = { code: 'drag_let_go', params: { fileName: 'a.txt' } };
  const letGo = () => calls.letGo({ caseId, documentId: 'd' });

  const first = drag();
  await letGo();
  const second = drag();
  written[0]?.resolve(null);
  await expect(first).rejects.toMatchObject(ends);
  await letGo();
  written[1]?.resolve(null);
  await expect(second).rejects.toMatchObject(ends);
  expect(handOver).not.toHaveBeenCalled();
});
