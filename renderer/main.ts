import { limitTrustedTypes } from './trusted-types.ts';

// Before anything else of the window is loaded, and may want to make a script of a string.
limitTrustedTypes(window);

// The desk was updated under an open window: the page that it asks for is in the new build only.
window.addEventListener('vite:preloadError', () => window.location.reload());

await import('./open-window.ts');
