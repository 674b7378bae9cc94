import { actOf, shortcuts } from './shortcuts.ts';

/** What a key asks of the desk: something by name, or the page of a place from 0. */
export type DeskKey = 'palette' | 'shortcuts' | 'sync' | number;

/** Elements that take letters themselves. */
const typing = 'input, textarea, select, [contenteditable], [role="combobox"], [role="textbox"]';

/**
 * Ctrl+K works everywhere; single keys only where nothing takes letters and no dialog is open, and
 * not at all where the person turned them off (WCAG 2.2, 2.1.4).
 * @param pages how many pages have a digit
 */
export function deskKey(
  event: KeyboardEvent,
  options: { singleKeys: boolean; pages: number },
): DeskKey | null {
  const act = actOf(shortcuts.desk, event);
  if (act === 'palette') return act;
  if (event.ctrlKey || event.metaKey || event.altKey || !options.singleKeys) return null;
  if (event.target instanceof Element && event.target.matches(typing)) return null;
  if (document.querySelector('.v-overlay--active')) return null;
  if (act !== null) return act;
  const place = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
  return place >= 1 && place <= options.pages ? place - 1 : null;
}
