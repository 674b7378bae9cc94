import { ipcRenderer } from 'electron';

// The whole preload. It passes on the ports for the contract, one at a time. If a port arrives
// before the page listens, it is stored until the page reports that it listens. It also prevents
// the page from navigating to an empty page, which no event of the main process reports (Chromium
// asks no navigation throttle about `about:blank`).

/** The parts of the page's window that are used here. */
declare const window: {
  readonly location: { readonly origin: string };
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: string, targetOrigin: string, transfer: readonly unknown[]): void;
  readonly navigation: {
    addEventListener(type: 'navigate', listener: (event: NavigateEvent) => void): void;
  };
};
interface NavigateEvent {
  readonly destination: { readonly url: string };
  preventDefault(): void;
}

let isReady = false;
let waiting: readonly unknown[] | null = null;

function pass(): void {
  if (!isReady || !waiting) return;
  window.postMessage('desk-port', window.location.origin, waiting);
  waiting = null;
}

ipcRenderer.on('desk-port', (event) => {
  waiting = event.ports;
  pass();
});
window.addEventListener('message', ({ data }) => {
  if (data !== 'desk-ready') return;
  isReady = true;
  pass();
});
window.navigation.addEventListener('navigate', (event) => {
  if (event.destination.url.startsWith('about:')) event.preventDefault();
});
