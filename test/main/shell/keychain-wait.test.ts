import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { SecretServiceState } from '#main/engine/keys/secret-service.ts';
import { untilUnlocked, waitsForKeychain } from '#main/shell/keychain-wait.ts';

describe('the wait for the keychain', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each<readonly SecretServiceState[]>([
    ['locked', 'locked', 'unlocked'],
    ['absent', 'unlocked'],
    // It failed although it was unlocked: another attempt would fail again.
    ['unlocked', 'unlocked', 'unknown', 'unlocked'],
  ])('ends when the keychain opens: %s %s %s', async (...states) => {
    const left = [...states];
    const look = vi.fn(() => Promise.resolve(left.shift() ?? 'unlocked'));
    const tell = vi.fn(() => expect(look).toHaveBeenCalledOnce());
    const wait = untilUnlocked(tell, look);
    await vi.runAllTimersAsync();
    await wait;
    expect(tell).toHaveBeenCalledOnce();
    expect(look).toHaveBeenCalledTimes(states.length);
  });

  it('is for a keychain that may still open, and for nothing else', () => {
    for (const code of ['keychain_locked', 'keychain_unreachable'] as const)
      expect(waitsForKeychain(new DeskError(code))).toBe(true);
    for (const code of ['keychain_unavailable', 'keychain_entry_lost', 'disk_full'] as const)
      expect(waitsForKeychain(new DeskError(code))).toBe(false);
    expect(waitsForKeychain(new Error('keychain_locked'))).toBe(false);
  });
});
