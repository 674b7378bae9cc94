import type { MessageKey } from '#shared/i18n/texts.ts';

/**
 * Every key that the desk listens to, by place and act; the code that listens
 * and the overview read it here. `Ctrl` stands for Cmd too; Shift is left to the listener.
 */
export const shortcuts = {
  desk: { palette: ['Ctrl+k'], shortcuts: ['?'], sync: ['s'] },
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

/** What a key asks for in a place; null if nothing does. */
export function actOf<Acts extends Place>(place: Acts, event: KeyboardEvent): keyof Acts | null {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const pressed = [event.ctrlKey || event.metaKey ? 'Ctrl' : '', event.altKey ? 'Alt' : '', key]
    .filter((part) => part !== '')
    .join('+');
  return Object.keys(place).find((act) => place[act]?.includes(pressed)) ?? null;
}

/** Works wherever nothing takes letters, and can be turned off (WCAG 2.2, 2.1.4). */
const isSingle = (key: string): boolean => /^[^\s]$/.test(key);

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
  const { reading, divider, reportPage, files, comment } = shortcuts;
  const shifted = [...list.previous, ...list.next].map((key) => `Shift+${key}`);
  const everywhere: ShortcutRow[] = [
    { keys: desk.palette, text: 'palette.label' },
    { keys: desk.sync, text: 'status.syncNow' },
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
        // Heard by the message that offers it.
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

/** What a key asks of the desk. */
export type DeskKey = keyof typeof shortcuts.desk;

/** Elements that take letters themselves. */
const typing = 'input, textarea, select, [contenteditable], [role="combobox"], [role="textbox"]';

/** Whether a dialog or a menu is open: no key may act on the page behind it. */
export const isBehindModal = (): boolean =>
  document.querySelector('.v-overlay--active, dialog[open]') !== null;

/**
 * Ctrl+K works everywhere but behind the photo editor; single keys only while nothing takes letters and no dialog is open, and
 * not at all if the user turned them off (WCAG 2.2, 2.1.4).
 */
export function deskKey(event: KeyboardEvent, options: { singleKeys: boolean }): DeskKey | null {
  const act = actOf(shortcuts.desk, event);
  // A dialog of the browser's own covers and disables everything else, the palette too.
  if (act === 'palette') return document.querySelector('dialog[open]') ? null : act;
  if (event.ctrlKey || event.metaKey || event.altKey || !options.singleKeys) return null;
  if (event.target instanceof Element && event.target.matches(typing)) return null;
  return isBehindModal() ? null : act;
}
