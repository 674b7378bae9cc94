import { Menu, Notification, Tray } from 'electron';
import type { EngineStatus } from './engine-messages.ts';
import { appName } from './identity.ts';
import type { ShellTexts } from '#shared/i18n/texts.ts';

/** One line: what needs the user first, then what waits. */
export function statusLine(status: EngineStatus, texts: ShellTexts): string {
  const { waiting, attention, network } = status;
  const lines = [
    ...(attention > 0 ? [texts.attention(attention)] : []),
    ...(waiting > 0 ? [texts.waiting(waiting)] : []),
    ...(network === 'offline' ? [texts.offline] : []),
  ];
  return lines.length > 0 ? lines.join(' · ') : texts.nothingWaits;
}

export interface DeskTray {
  update(status: EngineStatus): void;
  /** Shows everything again, in another language. */
  speak(texts: ShellTexts): void;
}

/** The desk next to the clock; null if the system has no such place. */
export function createTray(options: {
  readonly icon: string;
  readonly texts: ShellTexts;
  readonly show: () => void;
  readonly quit: () => void;
}): DeskTray | null {
  const { icon, show, quit } = options;
  let { texts } = options;
  let status: EngineStatus | null = null;
  let tray: Tray;
  try {
    tray = new Tray(icon);
  } catch {
    return null;
  }
  tray.on('click', show);
  const draw = () => {
    const line = status && statusLine(status, texts);
    tray.setToolTip(line === null ? appName : `${appName}: ${line}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...(line === null ? [] : [{ label: line, enabled: false }]),
        { label: texts.show, click: show },
        { label: texts.quit, click: quit },
      ]),
    );
  };
  draw();
  return {
    update(now) {
      status = now;
      draw();
    },
    speak(now) {
      texts = now;
      draw();
    },
  };
}

/** Shows a line in the system's notifications; a click on the latest shows the desk. */
export function createNotices(show: () => void): (body: string) => void {
  // Kept, because Electron forgets a notification that nothing refers to, and its click with it.
  let latest: Notification | null = null;
  return (body) => {
    latest = new Notification({ title: appName, body });
    latest.on('click', show);
    latest.show();
  };
}
