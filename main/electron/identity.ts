import { app } from 'electron';

/** The desk's name wherever a system shows one: menus, notifications, windows. */
export const appName = 'Appraiser Desk';
/** As in electron-builder.yml. */
const appId = 'ch.appraiserdesk.desk';
/** What Windows starts the desk by, when a notification of it is clicked after it has ended. */
const toastActivator = '{11878953-ED79-4071-B139-BFFF3A5530D1}';

/** Names the desk to the system; before the first window and the first notification. */
export function nameDesk(platform: NodeJS.Platform): void {
  // Electron would take the package's name, and on Windows put a second entry into the start menu.
  app.setName(appName);
  if (platform !== 'win32') return;
  // Windows shows notifications only of a program that it knows by its shortcut.
  app.setAppUserModelId(appId);
  // Electron would take another at each start, and leave each in the user's registry.
  app.setToastActivatorCLSID(toastActivator);
}
