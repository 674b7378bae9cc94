import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';
import type { ShellTexts } from '#shared/i18n/texts.ts';

/** What a right click offers on text: spellings of a word in doubt, and the clipboard. */
export function setContextMenu(contents: WebContents, texts: ShellTexts): void {
  contents.on('context-menu', (_event, { dictionarySuggestions, isEditable, editFlags }) => {
    const items: MenuItemConstructorOptions[] = dictionarySuggestions.map((word) => ({
      label: word,
      click: () => contents.replaceMisspelling(word),
    }));
    if (items.length > 0) items.push({ type: 'separator' });
    const { canCut, canCopy, canPaste, canSelectAll } = editFlags;
    if (isEditable) items.push({ role: 'cut', label: texts.cut, enabled: canCut });
    if (isEditable || canCopy) items.push({ role: 'copy', label: texts.copy, enabled: canCopy });
    if (isEditable)
      items.push(
        { role: 'paste', label: texts.paste, enabled: canPaste },
        { role: 'selectAll', label: texts.selectAll, enabled: canSelectAll },
      );
    if (items.length > 0) Menu.buildFromTemplate(items).popup();
  });
}
