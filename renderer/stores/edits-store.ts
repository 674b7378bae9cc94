import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import { type EditPart, editParts } from '#shared/desk/cases/case-choices.ts';
import { useTransport } from '../transport/transport.ts';
import { useAutosave } from './autosave.ts';
import { useLiveRead } from './live-data.ts';
import { type UndoStep, useUndoStore } from './undo-store.ts';
import type { Stored } from './unsaved-store.ts';

/** The texts that are typed into a case and not queued. An absent member is unchanged. */
export type Edit = Readonly<Partial<Record<EditPart, string>>>;

const keyOf = (id: string, part: EditPart): string => `${part} ${id}`;
function partOf(key: string): [id: string, part: EditPart] {
  const at = key.indexOf(' ');
  const part = editParts.find((one) => one === key.slice(0, at));
  if (!part) throw new Error(`no part is typed under ${key.slice(0, at)}`);
  return [key.slice(at + 1), part];
}
const isEditPart = (place: string): place is EditPart => editParts.some((part) => part === place);

/**
 * The typed texts by the id of their case. The engine stores them as they are typed, so they return
 * after a crash.
 */
export const useEditsStore = defineStore('edits', () => {
  const { client } = useTransport();
  const undos = useUndoStore();
  const edits = shallowReactive(new Map<string, Edit>());
  const {
    storedOf: storedOfKey,
    problem,
    change: store,
    answered,
    mark,
  } = useAutosave({
    save: (key, text, by) => {
      const [id, part] = partOf(key);
      return client.edits.save({ id, [part]: text, by });
    },
    show: (key, text) => show(...partOf(key), text),
    readAgain: () => load(),
    keyOf: ({ place, id }) => (isEditPart(place) ? keyOf(id, place) : null),
  });

  function show(id: string, part: EditPart, text: string | null): void {
    const { [part]: _, ...others } = edits.get(id) ?? {};
    const after: Edit = text === null ? others : { ...others, [part]: text };
    if (Object.keys(after).length > 0) edits.set(id, after);
    else edits.delete(id);
  }

  /**
   * Reads what was typed before this window was opened. Text that is typed in this window has
   * priority.
   */
  const { load } = useLiveRead(
    async () => {
      const since = mark();
      return { since, items: (await client.edits.list()).items };
    },
    (answer) => {
      if (answer === null) {
        edits.clear();
        return;
      }
      const found = new Map(answer.items.map((item) => [item.caseId, item]));
      for (const id of new Set([...edits.keys(), ...found.keys()]))
        for (const part of editParts)
          answered(keyOf(id, part), found.get(id)?.[part] ?? null, answer.since);
    },
  );

  function change(id: string, part: EditPart, text: string): void {
    show(id, part, text);
    store(keyOf(id, part), text);
  }

  /**
   * Replaces the text of a field for the user; `what` names the act. The user can take it back as
   * long as the field has this text. Text that the user typed or saved since stays.
   */
  function fill(id: string, part: EditPart, text: string, what: Omit<UndoStep, 'undo'>): void {
    const before = edits.get(id)?.[part];
    change(id, part, text);
    const undo = () => {
      if (edits.get(id)?.[part] !== text) return;
      if (before === undefined) forget(id, [part]);
      else change(id, part, before);
    };
    undos.offer({ ...what, undo });
  }

  /**
   * Forgets parts of an edit, because the user took them back or they are queued.
   * @param saved the edit when it was queued; text that was typed since stays stored
   */
  function forget(id: string, parts: readonly EditPart[], saved = edits.get(id)): void {
    const now = edits.get(id) ?? {};
    const gone = parts.filter((part) => now[part] !== undefined && now[part] === saved?.[part]);
    if (gone.length === 0) return;
    for (const part of gone) {
      show(id, part, null);
      store(keyOf(id, part), null);
    }
  }

  /** Discards parts of an edit at the user's request. The user can take this back. */
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

  /** Whether the texts that are typed into parts of a case are stored. */
  function storedOf(id: string, parts: readonly EditPart[]): Stored {
    const states = parts.map((part) => storedOfKey(keyOf(id, part)));
    return states.find((state) => state === 'notStored') ?? states.find(isStoring) ?? 'stored';
  }
  const isStoring = (state: Stored): boolean => state === 'storing';

  return { edits, problem, storedOf, change, fill, forget, discard, load };
});
