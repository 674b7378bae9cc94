import { dialog } from 'electron';
import { appName } from './identity.ts';

/**
 * Shows a sentence under the desk's name, because Electron's error box has the title "Error" on
 * Linux. The promise resolves when the user has read it, or when the signal closes the box.
 */
export async function showError(
  message: string,
  { detail, signal }: { readonly detail?: string; readonly signal?: AbortSignal } = {},
): Promise<void> {
  await dialog.showMessageBox({
    type: 'error',
    title: appName,
    message,
    ...(detail !== undefined && { detail }),
    ...(signal && { signal }),
  });
}
