import { firstLanguage } from './i18n/first-language.ts';
import { loadTexts } from './i18n/load-texts.ts';
import { spareRouterItsError } from './spare-router.ts';
import { askFirst } from './transport/first-answers.ts';
import { openFirstSocket } from './transport/first-socket.ts';
import { limitTrustedTypes } from './trusted-types.ts';

/**
 * What is under way while the window's own scripts are run. `main.ts` imports this ahead of all
 * else, because a library may want to make a script of a string as soon as it is run.
 */
limitTrustedTypes(window);
try {
  spareRouterItsError(window.sessionStorage);
} catch {
  // A browser that keeps nothing refuses even to be asked.
}

/** Whether the window begins with the list of cases, which is then shown ahead of the rest. */
export const startsWithList = window.location.hash.startsWith('#/cases');

/** The line to the engine; null over the desktop shell's own protocol, which gives ports. */
export const firstSocket = openFirstSocket(window);

/** What the list needs, asked for once there is a session. */
export const firstAnswers = firstSocket.then((socket) =>
  startsWithList && socket ? askFirst(window) : null,
);

// So do the texts come; whoever shows them asks for the same, and copes where they do not.
const language = firstLanguage();
if (language !== 'de') loadTexts(language).catch(() => undefined);
