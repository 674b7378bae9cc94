import { nextTick, type Ref, watch } from 'vue';

/** Where the caret is in a text that took the place of another: between the same letters. */
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
 * Keeps the caret of the field that has the focus in its place when a text comes from elsewhere,
 * as from another window: a browser moves it to the end.
 * @param root contains the field
 */
export function useSteadyCaret(root: Readonly<Ref<HTMLElement | null>>, text: Ref<string>): void {
  watch(text, async (after) => {
    const field = document.activeElement;
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
    // What is typed into the field itself is there already.
    if (!root.value?.contains(field) || field.value === after) return;
    const { value: before, selectionStart: start, selectionEnd: end, scrollTop } = field;
    const direction = field.selectionDirection ?? 'none';
    await nextTick();
    if (document.activeElement !== field || start === null || end === null) return;
    field.setSelectionRange(caretIn(after, before, start), caretIn(after, before, end), direction);
    field.scrollTop = scrollTop;
  });
}
