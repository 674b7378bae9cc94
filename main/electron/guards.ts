import type { X509Certificate } from 'node:crypto';
import { app, type InputEvent, type Session, shell, type WebContents } from 'electron';
import { languages } from '#shared/i18n/language.ts';
import { trustAuthorities } from './authorities.ts';
import { appOrigin } from './pages.ts';

/**
 * The schemes of links that are passed to the operating system: mail, telephone, text messages, and
 * web pages such as maps.
 */
const externalSchemes = ['https:', 'mailto:', 'tel:', 'sms:'];

/** Whether an address is a page of the desk. */
export function isOwnPage(address: string): boolean {
  return originOf(address) === appOrigin;
}

/**
 * The scheme and host of an address, because `URL.origin` is null for schemes that are not of the
 * web.
 */
function originOf(address: string): string | null {
  try {
    const { protocol, host } = new URL(address);
    return `${protocol}//${host}`;
  } catch {
    return null;
  }
}

/**
 * The time for which Chromium counts a page as activated by the user (HTML, "transient
 * activation").
 */
const clickWithinMs = 5000;
/** The events that activate a link. A mouse movement over it is not enough. */
const clicks: readonly InputEvent['type'][] = ['mouseDown', 'mouseUp', 'rawKeyDown', 'keyDown'];

/** Passes addresses to the operating system: one for each click or key of the user in this page. */
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

/**
 * Ensures that no page leaves the desk, opens a window or embeds another page (Electron checklist
 * 12 to 15).
 */
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

/**
 * The only permission of the desk's page: writing text to the clipboard when the user requests it.
 */
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
 * Sets the spell checker. The operating system checks spelling if it has dictionaries. Chromium
 * would download its own, which the desk never does: the address for them does not exist, and on
 * Linux, which has no dictionaries, checking is off (decision 22).
 */
export function setSpellChecker(session: Session, platform: NodeJS.Platform): void {
  session.setSpellCheckerDictionaryDownloadURL('desk://none/');
  session.setSpellCheckerEnabled(platform !== 'linux');
  // macOS detects the language automatically and accepts no list.
  if (platform !== 'win32') return;
  const wanted = session.availableSpellCheckerLanguages.filter((name) =>
    languages.some((language) => name === language || name.startsWith(`${language}-`)),
  );
  session.setSpellCheckerLanguages(wanted);
}

/**
 * Guards every page and every session that is ever created, not only the window's: a library's
 * session would otherwise fetch dictionaries from Chromium's servers.
 * @param authorities those that the policy adds to the system's
 */
export function guardApp(authorities: readonly X509Certificate[]): void {
  app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
  app.on('session-created', (session) => {
    guardSession(session);
    setSpellChecker(session, 'linux');
    trustAuthorities(session, authorities);
  });
}
