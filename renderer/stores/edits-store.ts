import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import { type EditPart, editParts } from '#shared/desk/case-choices.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';
import { useUndoStore } from './undo-store.ts';

/** What is typed into a case or a report draft and not queued; the other members are unchanged. */
export type Edit = Readonly<Partial<Record<EditPart, string>>>;

/** A typed letter is stored well within a second. */
const storeAfterMs = 400;
const retryAfterMs = 2000;

/**
 * Typed texts by the id of their case or report draft. Those of a case are stored by the engine as
 * they are typed, and come back after a crash; that of a draft is stored with the draft.
 */
export const useEditsStore = defineStore('edits', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const undos = useUndoStore();
  const edits = shallowReactive(new Map<string, Edit>());
  /** Parts of cases that the engine does not have as they are here. */
  const unstored = shallowReactive(new Map<string, ReadonlySet<EditPart>>());
  /** Report drafts with a text that is typed here. */
  const drafts = shallowReactive(new Set<string>());
  /** Calls on their way to the engine. */
  const storing = shallowRef(0);
  const problem = shallowRef<Problem | null>(null);
  /** Some text is in this window only. */
  const any = computed(
    () =>
      drafts.size > 0 ||
      storing.value > 0 ||
      [...unstored].some(([id, parts]) =>
        [...parts].some((part) => edits.get(id)?.[part] !== undefined),
      ),
  );

  let timer: ReturnType<typeof setTimeout> | undefined;
  const storeIn = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void store();
    }, ms);
  };

  async function store(): Promise<void> {
    for (const [id, parts] of [...unstored]) {
      unstored.delete(id);
      const texts: Partial<Record<EditPart, string | null>> = {};
      for (const part of parts) texts[part] = edits.get(id)?.[part] ?? null;
      storing.value += 1;
      try {
        await client.edits.save({ id, ...texts });
        problem.value = null;
      } catch (error) {
        problem.value = toProblem(error);
        // The text of a case that is not here any more stays in the window.
        if (problem.value.code === 'case_not_found') continue;
        mark(id, [...parts]);
        storeIn(retryAfterMs);
        return;
      } finally {
        storing.value -= 1;
      }
    }
  }

  const mark = (id: string, parts: readonly EditPart[]): void =>
    void unstored.set(id, new Set([...(unstored.get(id) ?? []), ...parts]));

  function change(id: string, part: EditPart, text: string): void {
    edits.set(id, { ...edits.get(id), [part]: text });
    mark(id, [part]);
    storeIn(storeAfterMs);
  }

  /** A draft's comment as it is typed, until the draft has it. */
  function changeDraft(draftId: string, comment: string): void {
    edits.set(draftId, { comment });
    drafts.add(draftId);
  }

  /**
   * Forgets parts of an edit: the user took them back, or they are queued.
   * @param saved the edit as it was when it was queued; what was typed since is stored
   */
  function forget(id: string, parts: readonly EditPart[], saved = edits.get(id)): void {
    const now = edits.get(id) ?? {};
    const gone = parts.filter((part) => now[part] !== undefined && now[part] === saved?.[part]);
    if (gone.length === 0) return;
    const left = Object.entries(now).filter(([part]) => !gone.some((one) => one === part));
    if (left.length > 0) edits.set(id, Object.fromEntries(left));
    else edits.delete(id);
    if (drafts.has(id)) {
      if (left.length === 0) drafts.delete(id);
      return;
    }
    mark(id, gone);
    storeIn(storeAfterMs);
  }

  /** Throws parts of an edit away on the user's word; can be taken back. */
  function discard(id: string, parts: readonly EditPart[]): void {
    const thrown = Object.entries(edits.get(id) ?? {}).filter(([part]) =>
      parts.some((one) => one === part),
    );
    if (thrown.length === 0) return;
    forget(id, parts);
    const undo = () => {
      const now = edits.get(id) ?? {};
      for (const part of editParts) {
        const text = thrown.find(([name]) => name === part)?.[1];
        if (text !== undefined && now[part] === undefined) change(id, part, text);
      }
    };
    undos.offer({ key: 'undo.text', params: {}, undo });
  }

  /** What was typed before this window was opened; what is typed in it wins. */
  async function load(): Promise<void> {
    try {
      const { items } = await client.edits.list();
      for (const item of items) {
        const edit: Partial<Record<EditPart, string>> = { ...edits.get(item.caseId) };
        for (const part of editParts) {
          const text = item[part];
          const isNewerHere = unstored.get(item.caseId)?.has(part) === true;
          if (text !== undefined && !isNewerHere) edit[part] = text;
        }
        edits.set(item.caseId, edit);
      }
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

  live.on((event) => {
    if (event.type !== 'workspace.changed') return;
    // They are another workspace's; its own store has them.
    edits.clear();
    unstored.clear();
    drafts.clear();
    void load();
  });
  live.onResumed(() => {
    void load();
    if (unstored.size > 0) storeIn(0);
  });

  return { edits, any, problem, change, changeDraft, forget, discard, load };
});
