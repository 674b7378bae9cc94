import { defineStore } from 'pinia';
import { computed, shallowReactive } from 'vue';

/** What a person has typed into a case and not saved; absent members are as the case says. */
export interface CaseEdit {
  readonly estimate?: string;
  readonly approved?: string;
  readonly comment?: string;
}

/**
 * Typed texts by case, kept while the person looks at something else. They live in memory only,
 * because nothing readable may lie on the disk; the window warns before it closes over them.
 */
export const useEditsStore = defineStore('edits', () => {
  const edits = shallowReactive(new Map<string, CaseEdit>());
  const any = computed(() => edits.size > 0);

  function change(caseId: string, part: keyof CaseEdit, text: string): void {
    edits.set(caseId, { ...edits.get(caseId), [part]: text });
  }

  /** Forgets parts of an edit: they are saved, or the person took them back. */
  function forget(caseId: string, parts: readonly (keyof CaseEdit)[]): void {
    const left = Object.entries(edits.get(caseId) ?? {}).filter(
      ([part]) => !parts.some((gone) => gone === part),
    );
    if (left.length === 0) edits.delete(caseId);
    else edits.set(caseId, Object.fromEntries(left));
  }

  return { edits, any, change, forget };
});
