import { firstLanguage } from './i18n/first-language.ts';
import { loadTexts } from './i18n/load-texts.ts';
import { openFirstSocket } from './transport/first-socket.ts';
import { limitTrustedTypes } from './trusted-types.ts';

// Before anything else of the window is loaded, and may want to make a script of a string.
limitTrustedTypes(window);

// The line to the engine opens while the window is loaded.
const socket = openFirstSocket(window);
// So do the texts come; whoever shows them asks for the same, and copes where they do not.
const language = firstLanguage();
if (language !== 'de') loadTexts(language).catch(() => undefined);
const { openWindow } = await import('./open-window.ts');
await openWindow(await socket);
