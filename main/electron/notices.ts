import { Notification } from 'electron';
import { appName } from './identity.ts';

/** Shows a line in the system's notifications; a click on the latest shows the desk. */
export function createNotices(show: () => void): (body: string) => void {
  // Kept, because Electron forgets a notification that nobody holds, and its click with it.
  let latest: Notification | null = null;
  return (body) => {
    latest = new Notification({ title: appName, body });
    latest.on('click', show);
    latest.show();
  };
}
