import { defineStore } from 'pinia';
import { shallowReactive, shallowRef } from 'vue';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';

const retryAfterMs = 2000;

/** Private notes by case, stored with every key. */
export const useNotesStore = defineStore('notes', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  /** As they are typed; absent until the engine has answered. */
  const texts = shallowReactive(new Map<string, string>());
  /** Cases whose note the engine does not have as it is here. */
  const unstored = shallowReactive(new Set<string>());
  const problem = shallowRef<Problem | null>(null);
  let storing = false;

  async function load(id: string): Promise<void> {
    const before = texts.get(id);
    try {
      const { text } = await client.notes.get({ id });
      // What was typed in the meantime is newer.
      if (texts.get(id) === before && !unstored.has(id)) texts.set(id, text);
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

  function change(id: string, text: string): void {
    texts.set(id, text);
    unstored.add(id);
    void store();
  }

  /** One call at a time, so that an older text never arrives after a newer one. */
  async function store(): Promise<void> {
    if (storing) return;
    storing = true;
    for (let [id] = unstored; id !== undefined; [id] = unstored) {
      const text = texts.get(id) ?? '';
      try {
        await client.notes.set({ id, text });
        problem.value = null;
        if ((texts.get(id) ?? '') === text) unstored.delete(id);
      } catch (error) {
        problem.value = toProblem(error);
        // The note of a case that is not here any more stays in the window.
        if (problem.value.code === 'case_not_found') unstored.delete(id);
        else {
          setTimeout(() => void store(), retryAfterMs);
          break;
        }
      }
    }
    storing = false;
  }

  live.on((event) => {
    if (event.type !== 'workspace.changed') return;
    texts.clear();
    unstored.clear();
    problem.value = null;
  });
  return { texts, unstored, problem, load, change };
});
