import type { Session } from 'electron';
import { languages } from '#shared/desk/workspace.ts';

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
