import { defineStore } from 'pinia';
import { useTransport } from '../transport/transport.ts';
import { useAutosave } from './autosave.ts';
import { useLiveMap } from './live-data.ts';

/** Private notes by case, stored as they are typed. */
export const useNotesStore = defineStore('notes', () => {
  const { client } = useTransport();
  const {
    unstored,
    storedOf,
    problem,
    change: store,
  } = useAutosave((id, text) => client.notes.set({ id, text: text ?? '' }));
  const { data: texts, load, problems, show } = useLiveMap(read, { changedBy: () => [] });

  async function read(id: string): Promise<string> {
    const before = texts.get(id);
    const { text } = await client.notes.get({ id });
    // What was typed here in the meantime is newer.
    const here = texts.get(id);
    return here !== undefined && (here !== before || unstored.has(id)) ? here : text;
  }

  function change(id: string, text: string): void {
    show(id, text);
    store(id, text);
  }
  return { texts, storedOf, problem, problems, load, change };
});
