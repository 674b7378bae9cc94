import { app } from 'electron';

/** The desk's name in menus, notifications and windows of the system. */
export const appName = 'Appraiser Desk';
/** The id must equal that in electron-builder.yml. */
const appId = 'ch.appraiserdesk.desk';
/**
 * The id with which Windows starts the desk if the user clicks a notification after the desk has
 * ended.
 */
const toastActivator = '{11878953-ED79-4071-B139-BFFF3A5530D1}';

/**
 * Sets the desk's name in the system. It must be called before the first window and notification.
 */
export function nameDesk(platform: NodeJS.Platform): void {
  // Without this, Electron would use the package's name and add a second entry to the start menu of
  // Windows.
  app.setName(appName);
  if (platform !== 'win32') return;
  // Windows shows notifications only of programs that it knows by their shortcut.
  app.setAppUserModelId(appId);
  // Without this, Electron would create another id at each start and leave each in the user's
  // registry.
  app.setToastActivatorCLSID(toastActivator);
}
