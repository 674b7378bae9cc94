import type { MessageKey } from '#shared/i18n/texts.ts';

/**
 * All keys of the desk, by place and act. Both the code that listens and the overview read this
 * table. `Ctrl` includes Cmd; the listener decides about Shift.
 */
export const shortcuts = {
  desk: { palette: ['Ctrl+k'], shortcuts: ['?'], sync: ['s'], close: ['e'] },
  close: { next: ['ArrowDown'], previous: ['ArrowUp'], postpone: ['v'] },
  cases: { search: ['Ctrl+f', '/'] },
  list: {
    next: ['ArrowDown'],
    previous: ['ArrowUp'],
    nextPage: ['PageDown'],
    previousPage: ['PageUp'],
    first: ['Home'],
    last: ['End'],
    enter: ['Enter'],
    toggle: [' '],
    all: ['Ctrl+a'],
    clear: ['Escape'],
  },
  comment: { textBlocks: ['Ctrl+b'] },
  report: { up: ['Alt+ArrowUp'], down: ['Alt+ArrowDown'] },
  reportPage: { queue: ['Ctrl+Enter'] },
  files: { previous: ['ArrowUp'], next: ['ArrowDown'] },
  photoGrid: {
    previous: ['ArrowLeft'],
    next: ['ArrowRight'],
    up: ['ArrowUp'],
    down: ['ArrowDown'],
    first: ['Home'],
    last: ['End'],
    open: ['Enter'],
    toggle: [' '],
    all: ['Ctrl+a'],
    clear: ['Escape'],
    earlier: ['Alt+ArrowLeft', 'Alt+ArrowUp'],
    later: ['Alt+ArrowRight', 'Alt+ArrowDown'],
  },
  photos: { remove: ['Delete', 'x'], turn: ['r'], mark: ['m'] },
  photo: { previous: ['ArrowLeft'], next: ['ArrowRight'], close: ['Escape', 'Enter'] },
  reading: { swap: ['F6'], close: ['Escape'] },
  divider: { left: ['ArrowLeft'], right: ['ArrowRight'], first: ['Home'], last: ['End'] },
  documents: { previous: ['Alt+ArrowLeft'], next: ['Alt+ArrowRight'] },
  pdf: { search: ['Ctrl+f'] },
  picture: { larger: ['+'], smaller: ['-'], whole: ['0'], turn: ['r'] },
} as const;

type Place = Readonly<Record<string, readonly string[]>>;

/** The act of a key in a place; null if there is none. */
export function actOf<Acts extends Place>(place: Acts, event: KeyboardEvent): keyof Acts | null {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const pressed = [event.ctrlKey || event.metaKey ? 'Ctrl' : '', event.altKey ? 'Alt' : '', key]
    .filter((part) => part !== '')
    .join('+');
  return Object.keys(place).find((act) => place[act]?.includes(pressed)) ?? null;
}

/**
 * Whether the shortcut is a single key. Such a shortcut works where no text is typed, and can be
 * turned off (WCAG 2.2, 2.1.4).
 */
export const isSingle = (key: string): boolean => /^[^\s]$/.test(key);

export interface ShortcutRow {
  readonly keys: readonly string[];
  readonly text: MessageKey;
}
export interface ShortcutGroup {
  readonly title: MessageKey;
  readonly rows: readonly ShortcutRow[];
}

/** The overview: every shortcut once. */
export function shortcutOverview(options: { singleKeys: boolean }): ShortcutGroup[] {
  const { desk, cases, list, report, photos, photo, documents, pdf, picture } = shortcuts;
  const { close, reading, divider, reportPage, files, comment } = shortcuts;
  const shifted = [...list.previous, ...list.next].map((key) => `Shift+${key}`);
  const everywhere: ShortcutRow[] = [
    { keys: desk.palette, text: 'palette.label' },
    { keys: desk.sync, text: 'status.syncNow' },
    { keys: desk.close, text: 'nav.close' },
    { keys: desk.shortcuts, text: 'shortcuts.overview' },
    { keys: list.clear, text: 'shortcuts.escape' },
  ];
  const isActive = (key: string) => options.singleKeys || !isSingle(key);
  // The keys of a picture are always listed: they apply only while it has the focus.
  const withActiveKeys = (rows: readonly ShortcutRow[]) =>
    rows
      .map(({ keys, text }) => ({ keys: keys.filter(isActive), text }))
      .filter(({ keys }) => keys.length > 0);
  return [
    {
      title: 'shortcuts.everywhere',
      rows: [
        ...withActiveKeys(everywhere),
        // The message that offers this act listens to the key.
        { keys: ['Ctrl+z'], text: 'photos.undo' },
        { keys: comment.textBlocks, text: 'shortcuts.textBlocks' },
      ],
    },
    {
      title: 'shortcuts.inList',
      rows: [
        ...withActiveKeys([{ keys: cases.search, text: 'list.search' }]),
        { keys: [...list.previous, ...list.next], text: 'shortcuts.rows' },
        { keys: list.enter, text: 'shortcuts.enter' },
        { keys: list.toggle, text: 'shortcuts.toggle' },
        { keys: shifted, text: 'shortcuts.extend' },
        { keys: list.all, text: 'shortcuts.all' },
      ],
    },
    {
      title: 'shortcuts.inReport',
      rows: [
        { keys: reportPage.queue, text: 'report.queue' },
        { keys: [...files.previous, ...files.next], text: 'shortcuts.files' },
        { keys: [...report.up, ...report.down], text: 'shortcuts.move' },
      ],
    },
    {
      title: 'nav.close',
      rows: withActiveKeys([
        { keys: [...close.previous, ...close.next], text: 'ledger.next' },
        { keys: close.postpone, text: 'ledger.postpone' },
      ]),
    },
    {
      title: 'photos.title',
      rows: withActiveKeys([
        { keys: photo.previous, text: 'photos.previous' },
        { keys: photo.next, text: 'photos.next' },
        { keys: photos.mark, text: 'photos.mark' },
        { keys: photos.remove, text: 'photos.remove' },
      ]),
    },
    {
      title: 'shortcuts.inDocument',
      rows: [
        { keys: [...documents.previous, ...documents.next], text: 'shortcuts.documents' },
        { keys: reading.swap, text: 'shortcuts.swap' },
        { keys: [...divider.left, ...divider.right], text: 'shortcuts.divider' },
        { keys: pdf.search, text: 'viewing.search' },
        { keys: [...picture.larger, ...picture.smaller], text: 'shortcuts.zoom' },
        { keys: picture.whole, text: 'viewing.fitWindow' },
        { keys: picture.turn, text: 'shortcuts.turn' },
      ],
    },
  ];
}

/** The acts of the desk that have a key. */
export type DeskKey = keyof typeof shortcuts.desk;

/** The elements into which letters are typed. */
const typing = 'input, textarea, select, [contenteditable], [role="combobox"], [role="textbox"]';

/** Whether a dialog or a menu is open, so that no key may act on the page behind it. */
export const isBehindModal = (): boolean =>
  document.querySelector('.v-overlay--active, dialog[open]') !== null;

/**
 * The act of a key. Ctrl+K works everywhere except behind the photo editor. Single keys work only
 * if no text is typed and no dialog is open, and not if the user turned them off (WCAG 2.2, 2.1.4).
 */
export function deskKey(event: KeyboardEvent, options: { singleKeys: boolean }): DeskKey | null {
  const act = actOf(shortcuts.desk, event);
  // A dialog of the browser covers and disables everything else, including the palette.
  if (act === 'palette') return document.querySelector('dialog[open]') ? null : act;
  if (event.ctrlKey || event.metaKey || event.altKey || !options.singleKeys) return null;
  if (event.target instanceof Element && event.target.matches(typing)) return null;
  return isBehindModal() ? null : act;
}
