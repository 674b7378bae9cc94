import { Menu, Notification, Tray } from 'electron';
import type { EngineStatus } from './engine-messages.ts';
import { appName } from './identity.ts';
import { outboxCounts } from '#shared/desk/delivery/statements.ts';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { sayOutboxCount } from '#shared/i18n/say-statement.ts';

/** The status in one line: first what needs the user, then what waits. */
export function statusLine(status: EngineStatus, language: Language): string {
  const { offline } = shellTexts[language];
  const counts = outboxCounts(status).map((count) => sayOutboxCount(count, language));
  return [...counts, ...(status.network === 'offline' ? [offline] : [])].join(' · ');
}

export interface DeskTray {
  update(status: EngineStatus): void;
  /** Shows all texts again in another language. */
  speak(language: Language): void;
}

/** Creates the tray icon of the desk; null if the system has no tray. */
export function createTray(options: {
  readonly icon: string;
  readonly language: Language;
  readonly show: () => void;
  readonly quit: () => void;
}): DeskTray | null {
  const { icon, show, quit } = options;
  let { language } = options;
  let status: EngineStatus | null = null;
  let tray: Tray;
  try {
    tray = new Tray(icon);
  } catch {
    return null;
  }
  tray.on('click', show);
  const draw = () => {
    const texts = shellTexts[language];
    const line = status && statusLine(status, language);
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
      language = now;
      draw();
    },
  };
}

/** Shows a line in the system's notifications. A click on the latest one shows the desk. */
export function createNotices(show: () => void): (body: string) => void {
  // The notification is stored, because Electron forgets a notification without a reference, and
  // then its click.
  let latest: Notification | null = null;
  return (body) => {
    latest = new Notification({ title: appName, body });
    latest.on('click', show);
    latest.show();
  };
}
