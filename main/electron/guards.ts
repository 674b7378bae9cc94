import { type App, type Session, shell, type WebContents } from 'electron';
import { appOrigin } from './pages.ts';

/** What a link may hand to the operating system: mail, telephone, and web pages such as maps. */
const externalSchemes = ['https:', 'mailto:', 'tel:'];

/** Whether an address is a page of the desk itself. */
export function isOwnPage(address: string): boolean {
  try {
    const { protocol, host } = new URL(address);
    return `${protocol}//${host}` === appOrigin;
  } catch {
    return false;
  }
}

function openExternally(address: string): void {
  if (externalSchemes.some((scheme) => address.startsWith(scheme)))
    void shell.openExternal(address);
}

/** No page leaves the desk, opens a window or embeds another page (Electron checklist 12 to 15). */
export function guardContents(contents: WebContents): void {
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

/** Every permission is denied; the desk needs none (checklist 5). */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}

/** Holds for every page that ever comes to be, not only for the window's first. */
export function guardApp(app: App): void {
  app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}
