import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Vault } from '#main/engine/keys/vault.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

// The homes of a user have one keychain.

const { starter } = sharePractice();
const open = (home: string, vault: Vault) => openTestEngine({ home, vault, practice: starter });

/** A keychain that answers the first question for a key of each home once both have asked. */
function askedByTwo(vault: Vault): Vault {
  let asked = 0;
  let answer: () => void = () => undefined;
  const both = new Promise<void>((resolve) => (answer = resolve));
  return {
    ...vault,
    async get(name) {
      const found = await vault.get(name);
      asked += 1;
      if (asked === 2) answer();
      await both;
      return found;
    },
  };
}

it('two homes that begin at the same time both open their practice workspace, then and later', async () => {
  const secrets = new Map<string, string>();
  const homes = ['one', 'two'].map((name) => join(testFolder(), name));
  const begin = askedByTwo(testKeychain(secrets));
  const begun = await Promise.all(homes.map((home) => open(home, begin)));
  for (const desk of begun) expect((await desk.desk.info()).workspace.kind).toBe('practice');
  for (const desk of begun) await desk.close();
  for (const home of homes) {
    const desk = await open(home, testKeychain(secrets));
    expect((await desk.desk.info()).workspace.kind).toBe('practice');
    await desk.close();
  }
});

it('a home that sets its practice workspace aside leaves the keys of another one', async () => {
  const secrets = new Map<string, string>();
  const vault = testKeychain(secrets);
  const [one, other] = ['one', 'two'].map((name) => join(testFolder(), name));
  const first = await open(one ?? '', vault);
  const own = [...secrets.keys()].filter((name) => name.endsWith('/database-key'));
  const second = await open(other ?? '', vault);
  await second.sync.run({ documents: 'none' });
  const { items } = await second.cases.list({ status: 'InProgress' });
  await second.edits.save({ id: items[0]?.id ?? '', estimate: '4200' });
  await second.close();
  await first.close();
  for (const name of own) secrets.delete(name);
  const lost = await open(one ?? '', vault);
  expect(await lost.workspaces.lostKey()).toMatchObject({ dataIsLost: true });
  await lost.workspaces.recoverKey({ setAside: true });
  expect((await lost.desk.info()).workspace.kind).toBe('practice');
  await lost.close();
  const again = await open(other ?? '', vault);
  expect((await again.edits.list()).items).toMatchObject([{ estimate: '4200' }]);
});
