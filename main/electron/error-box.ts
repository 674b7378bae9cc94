import { dialog } from 'electron';
import { appName } from './identity.ts';

/** Shows a sentence under the desk's name; the window of Electron's own error box is called "Error" on Linux. */
export function showError(sentence: string): void {
  dialog.showMessageBoxSync({ type: 'error', title: appName, message: sentence });
}
