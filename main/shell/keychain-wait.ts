import { DeskError } from '#shared/desk/contract/errors.ts';
import { type SecretServiceState, secretServiceState } from '#main/engine/keys/secret-service.ts';

const lookEveryMs = 3000;

/** Whether the keychain may still be unlocked, so that its entries are not lost. */
export function waitsForKeychain(error: unknown): error is DeskError {
  return (
    error instanceof DeskError &&
    (error.code === 'keychain_locked' || error.code === 'keychain_unreachable')
  );
}

/**
 * Waits without a prompt until a locked or missing keychain is unlocked. A keychain that is
 * unlocked and fails must first become locked or missing. Only the Secret Service reports its
 * state; on other systems the wait has no limit, and the user must try again.
 *
 * A new process must then read the keychain, because libsecret keeps using the first service that
 * it found, and finds no entry if another service replaced it.
 * @param tell called when the wait begins; later changes are noticed
 * @param look reads the keychain's state; tests replace it
 */
export async function untilUnlocked(
  tell: () => void,
  look: () => Promise<SecretServiceState> = secretServiceState,
): Promise<void> {
  let state = await look();
  tell();
  let wasClosed = state !== 'unlocked';
  while (state !== 'unlocked' || !wasClosed) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    state = await look();
    wasClosed ||= state !== 'unlocked';
  }
}
