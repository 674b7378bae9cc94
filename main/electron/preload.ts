import { ipcRenderer } from 'electron';

// The whole preload: it passes on the one port over which window and engine speak the contract.

/** The page's own window, as far as it is needed here. */
declare const window: {
  readonly location: { readonly origin: string };
  postMessage(message: string, targetOrigin: string, transfer: readonly unknown[]): void;
};

ipcRenderer.once('desk-port', (event) => {
  window.postMessage('desk-port', window.location.origin, event.ports);
});
