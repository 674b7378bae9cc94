import { openFirstSocket } from './transport/first-socket.ts';
import { limitTrustedTypes } from './trusted-types.ts';

// Before anything else of the window is loaded, and may want to make a script of a string.
limitTrustedTypes(window);

// The line to the engine opens while the window is loaded.
const socket = openFirstSocket(window);
const { openWindow } = await import('./open-window.ts');
await openWindow(await socket);
