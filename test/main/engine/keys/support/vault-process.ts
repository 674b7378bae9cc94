import { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { openKeychainVault } from '#main/engine/keys/keychain-vault.ts';
import type { Vault } from '#main/engine/keys/vault.ts';

// A process with a keychain vault. It is separate because libsecret stays with the first D-Bus
// session that it finds.

const callSchema = z.tuple([
  z.enum(['open', 'get', 'set', 'delete', 'wait-no-longer']),
  z.string().default(''),
  z.string().default(''),
]);
let vault: Vault | undefined;

/** Shortens every later wait, such as that for a keychain that does not answer. */
function waitNoLonger(): void {
  const { setTimeout: wait } = globalThis;
  const short = (run: () => void, ms?: number) => wait(run, Math.min(ms ?? 0, 200));
  Object.assign(globalThis, { setTimeout: short });
}

async function answer(call: z.infer<typeof callSchema>): Promise<unknown> {
  const [method, name, secret] = call;
  if (method === 'wait-no-longer') {
    waitNoLonger();
    return 'done';
  }
  if (method === 'open') {
    vault = await openKeychainVault('Appraiser Desk test');
    return vault.kind;
  }
  if (method === 'get') return await vault?.get(name);
  if (method === 'set') await vault?.set(name, secret);
  else await vault?.delete(name);
  return 'done';
}

process.on('message', (message) => {
  answer(callSchema.parse(message)).then(
    (value) => process.send?.({ value }),
    (error: unknown) =>
      process.send?.({ value: error instanceof DeskError ? error.code : String(error) }),
  );
});
