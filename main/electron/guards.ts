import { app, type InputEvent, type Session, shell, type WebContents } from 'electron';
import { languages } from '#shared/i18n/language.ts';
import { appOrigin } from './pages.ts';

/** What a link may hand to the operating system: mail, telephone, and web pages such as maps. */
const externalSchemes = ['https:', 'mailto:', 'tel:'];

/** Whether an address is a page of the desk itself. */
export function isOwnPage(address: string): boolean {
  return originOf(address) === appOrigin;
}

/** Scheme and host of an address; `URL.origin` is null for schemes that are not the web's. */
function originOf(address: string): string | null {
  try {
    const { protocol, host } = new URL(address);
    return `${protocol}//${host}`;
  } catch {
    return null;
  }
}

/** As long as Chromium counts a page as just activated by the user (HTML, "transient activation"). */
const clickWithinMs = 5000;
/** What the user does to a link; moving the mouse over it is not enough. */
const clicks: readonly InputEvent['type'][] = ['mouseDown', 'mouseUp', 'rawKeyDown', 'keyDown'];

/** Hands addresses to the operating system: one for each click or key of the user in this page. */
function createOpener(contents: WebContents): (address: string) => void {
  let clickedAt = -Infinity;
  contents.on('input-event', (_event, { type }) => {
    if (clicks.includes(type)) clickedAt = performance.now();
  });
  return (address) => {
    if (!externalSchemes.some((scheme) => address.startsWith(scheme))) return;
    if (performance.now() - clickedAt > clickWithinMs) return;
    clickedAt = -Infinity;
    void shell.openExternal(address);
  };
}

/** No page leaves the desk, opens a window or embeds another page (Electron checklist 12 to 15). */
export function guardContents(contents: WebContents): void {
  const openExternally = createOpener(contents);
  contents.on('will-navigate', (event) => {
    if (isOwnPage(event.url)) return;
    event.preventDefault();
    openExternally(event.url);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openExternally(url);
    return { action: 'deny' };
  });
}

/** What the desk's own page may do: put text into the clipboard when the user asks for it. */
const allowedPermission = 'clipboard-sanitized-write';

/** Every other permission is denied; the desk needs none (checklist 5). */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl }) =>
    callback(permission === allowedPermission && isOwnPage(requestingUrl)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, requestingOrigin) =>
      permission === allowedPermission && isOwnPage(requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
}

/**
 * Spelling is checked by the operating system, if it brings dictionaries. Chromium's own would be
 * fetched from outside, which the desk never does: its address is one that does not exist, and on
 * Linux, which brings none, checking is off (decision 22).
 */
export function setSpellChecker(session: Session, platform: NodeJS.Platform): void {
  session.setSpellCheckerDictionaryDownloadURL('desk://none/');
  session.setSpellCheckerEnabled(platform !== 'linux');
  // macOS finds the language by itself and knows no list.
  if (platform !== 'win32') return;
  const wanted = session.availableSpellCheckerLanguages.filter((name) =>
    languages.some((language) => name === language || name.startsWith(`${language}-`)),
  );
  session.setSpellCheckerLanguages(wanted);
}

/** Applies to every page that is ever made, not only for the window's first. */
export function guardApp(): void {
  app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}
