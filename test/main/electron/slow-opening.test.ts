import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import { electron, stand } from './electron-stand-in.ts';
import { tellOfSlowOpening } from '#main/electron/slow-opening.ts';

const { showMessageBox } = electron.dialog;
beforeEach(() => {
  vi.useFakeTimers();
  stand.startReady();
});
afterEach(() => void vi.useRealTimers());

/** A person who answers the box with its button of this number. */
function open(response: number) {
  stand.answer = response;
  const quit = vi.fn();
  // Electron's also takes a window before the options.
  const dialog = { showMessageBox: showMessageBox as never };
  const slow = tellOfSlowOpening({ dialog, texts: shellTexts.en, quit });
  return { slow, quit };
}

it('says nothing if the desk is open soon', () => {
  const { slow } = open(0);
  vi.advanceTimersByTime(5_999);
  slow.opened();
  vi.advanceTimersByTime(60_000);
  expect(showMessageBox).not.toHaveBeenCalled();
});

it('says that the keychain may be asking, until the desk is open', async () => {
  const { slow, quit } = open(0);
  await vi.advanceTimersByTimeAsync(6_000);
  const box = showMessageBox.mock.calls[0]?.[0];
  expect(box?.message).toBe('The desk is still being opened.');
  expect(box?.signal?.aborted).toBe(false);
  slow.opened();
  expect(box?.signal?.aborted).toBe(true);
  expect(quit).not.toHaveBeenCalled();
});
