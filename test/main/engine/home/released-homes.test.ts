import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openPassphraseVault } from '#main/engine/keys/passphrase-vault.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import {
  passphrase,
  releasedVersions,
  typed,
  unpackHome,
} from '../../../support/released/released-home.ts';
import { openTestEngine, testFolder } from '../support/test-engine.ts';

async function openReleased(version: string) {
  const home = testFolder();
  unpackHome(version, home);
  const vault = await openPassphraseVault(join(home, 'vault.json'), passphrase);
  return openTestEngine({ home, vault });
}

describe.each(releasedVersions)('a home of version %s', (version) => {
  it('opens with everything that was not sent', async () => {
    const desk = await openReleased(version);
    const queue = await desk.queue.list({});
    expect(queue.items.map(({ kind, state }) => [kind, state]).toSorted()).toEqual([
      ['amounts', 'waiting'],
      ['comment', 'waiting'],
      ['report', 'waiting'],
    ]);
    const id = queue.items[0]?.caseId ?? '';
    // The work lies over the case, whether the cache was read or built anew.
    const drafts = await desk.reports.drafts();
    const open = drafts.items.find(({ comment }) => comment === typed.draftComment);
    const queued = drafts.items.find(({ comment }) => comment === typed.queuedComment);
    for (const draft of [open, queued]) {
      const [file] = draft?.attachments ?? [];
      const { stream } = await desk.files.openAttachment(draft?.id ?? '', file?.id ?? '');
      expect((await buffer(stream)).toString()).toBe(draft?.comment);
    }
    expect((await desk.edits.list()).items).toMatchObject([
      { caseId: id, estimate: typed.estimate },
    ]);
    expect((await desk.views.list()).items).toMatchObject([{ name: typed.view }]);
    expect((await desk.texts.list()).blocks).toMatchObject([typed.block]);
    expect((await desk.own.handlers()).names).toEqual([typed.handler]);
    const { batch } = await desk.batch.get();
    expect(batch?.rows).toMatchObject([{ path: typed.batchFile }]);
  });

  it('shows its cases with the work laid over them', async () => {
    const desk = await openReleased(version);
    const { items } = await desk.queue.list({});
    const id = items[0]?.caseId ?? '';
    expect(await desk.cases.get({ id })).toMatchObject({
      expertComment: typed.comment,
      approvedRappen: typed.approvedRappen,
      handledBy: typed.handler,
    });
    expect(await desk.notes.get({ id })).toMatchObject({ text: typed.note });
    expect((await desk.texts.ticks({ id })).ids).toEqual([typed.tick]);
    expect((await desk.day.visits({ ids: [id] })).items).toMatchObject([typed.visit]);
  });
});

it('the home of every version is in the tests', () => {
  expect(releasedVersions).toContain(packageJson.version);
});
