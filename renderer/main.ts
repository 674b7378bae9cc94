import { limitTrustedTypes } from './trusted-types.ts';

// Before anything else of the window is loaded, and may want to make a script of a string.
limitTrustedTypes(window);

await import('./open-window.ts');
