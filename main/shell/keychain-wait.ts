import { DeskError } from '#shared/desk/errors.ts';
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
 * Waits until a keychain that was locked or missing is unlocked, without a prompt. A keychain that is
 * unlocked and fails must first be locked or missing. Only the Secret Service reports its state; on
 * other systems this waits without limit, until the user asks again.
 *
 * A new process must then read the keychain: libsecret stays with the first service that it found,
 * and finds no entry if another service replaced it.
 *
 * @param tell called when the wait begins; changes after that are noticed
 * @param look stands in for the system's keychain in tests
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
