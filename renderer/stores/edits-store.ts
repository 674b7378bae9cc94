import { defineStore } from 'pinia';
import { computed, shallowReactive } from 'vue';

/**
 * What a person has typed into a case or a report and not saved; absent members are as the case or
 * the report says.
 */
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

  /** Forgets parts of an edit: they are saved, or the person took them back. */
  function forget(id: string, parts: readonly (keyof Edit)[]): void {
    const left = Object.entries(edits.get(id) ?? {}).filter(
      ([part]) => !parts.some((gone) => gone === part),
    );
    if (left.length === 0) edits.delete(id);
    else edits.set(id, Object.fromEntries(left));
  }

  return { edits, any, change, forget };
});
