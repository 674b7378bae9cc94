import { defineStore } from 'pinia';
import { computed, shallowReactive } from 'vue';

/** What is typed into a case or a report draft and not saved; the other members are unchanged. */
export interface Edit {
  readonly estimate?: string;
  readonly approved?: string;
  readonly comment?: string;
  /** For reopening a case. */
  readonly reason?: string;
}

/**
 * Typed texts by the id of their case or report draft, kept while the person looks at something
 * else. They live in memory only, because nothing readable may lie on the disk; the window warns
 * before it closes over them.
 */
export const useEditsStore = defineStore('edits', () => {
  const edits = shallowReactive(new Map<string, Edit>());
  const any = computed(() => edits.size > 0);

  function change(id: string, part: keyof Edit, text: string): void {
    edits.set(id, { ...edits.get(id), [part]: text });
  }

  /**
   * Forgets parts of an edit: the person took them back, or they are saved.
   * @param saved the edit as it was when it was saved; what was typed since is kept
   */
  function forget(id: string, parts: readonly (keyof Edit)[], saved = edits.get(id)): void {
    const now = edits.get(id) ?? {};
    const isGone = (part: string) => parts.some((one) => one === part && now[one] === saved?.[one]);
    const left = Object.entries(now).filter(([part]) => !isGone(part));
    if (left.length === 0) edits.delete(id);
    else edits.set(id, Object.fromEntries(left));
  }

  return { edits, any, change, forget };
});
