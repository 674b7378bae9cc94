import { nextTick, type Ref, watch } from 'vue';

/**
 * Returns the position of the caret in a text that replaced another one, so that the caret stays
 * between the same letters.
 */
export function caretIn(after: string, before: string, caret: number): number {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  if (caret <= same) return caret;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && before.at(-1 - sameAtEnd) === after.at(-1 - sameAtEnd))
    sameAtEnd += 1;
  if (caret >= before.length - sameAtEnd) return caret + after.length - before.length;
  return Math.min(caret, after.length - sameAtEnd);
}

/**
 * Restores the caret of the focused field if another window, for example, changes the text of the
 * field. Without this, the browser moves the caret to the end.
 * @param root the element that contains the field
 */
export function useSteadyCaret(root: Readonly<Ref<HTMLElement | null>>, text: Ref<string>): void {
  watch(text, async (after) => {
    const field = document.activeElement;
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
    // If the user typed the text into this field, the field already contains it.
    if (!root.value?.contains(field) || field.value === after) return;
    const { value: before, selectionStart: start, selectionEnd: end, scrollTop } = field;
    const direction = field.selectionDirection ?? 'none';
    await nextTick();
    if (document.activeElement !== field || start === null || end === null) return;
    field.setSelectionRange(caretIn(after, before, start), caretIn(after, before, end), direction);
    field.scrollTop = scrollTop;
  });
}
