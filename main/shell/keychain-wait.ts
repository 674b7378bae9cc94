import { setTimeout as delay } from 'node:timers/promises';
import { DeskError } from '#shared/desk/errors.ts';
import { type SecretServiceState, secretServiceState } from '#main/engine/keys/secret-service.ts';

const lookEveryMs = 3000;

/** Whether a person, or the system, may still open the keychain: what it holds is not lost. */
export function waitsForKeychain(error: unknown): error is DeskError {
  return (
    error instanceof DeskError &&
    (error.code === 'keychain_locked' || error.code === 'keychain_unreachable')
  );
}

/**
 * Waits until a keychain that was locked or gone is unlocked, without having it ask the user for a
 * password. One that is unlocked and fails all the same has to be locked or gone first. Only the
 * Secret Service tells; on other systems this waits for ever.
 *
 * A new process has to look into the keychain then: libsecret stays with the service that it found
 * first, and finds nothing any more if another took its place.
 *
 * @param tell says that the wait begins; whatever the user does then is seen
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
    await delay(lookEveryMs);
    state = await look();
    wasClosed ||= state !== 'unlocked';
  }
}
