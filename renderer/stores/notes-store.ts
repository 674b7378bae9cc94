import { defineStore } from 'pinia';
import { useTransport } from '../transport/transport.ts';
import { useAutosave } from './autosave.ts';
import { useLiveMap } from './live-data.ts';

/** Private notes by case, stored as they are typed. */
export const useNotesStore = defineStore('notes', () => {
  const { client } = useTransport();
  const autosave = useAutosave({
    save: (id, text, by) => client.notes.set({ id, text: text ?? '', by }),
    // A note that was not read yet is read when it is shown.
    show: (id, text) => {
      if (texts.has(id)) show(id, text ?? '');
    },
    readAgain: (id) => load(id),
    keyOf: ({ place, id }) => (place === 'note' ? id : null),
  });
  const { data: texts, load, problems, show } = useLiveMap(read, { changedBy: () => [] });

  async function read(id: string): Promise<string> {
    const since = autosave.mark();
    const { text } = await client.notes.get({ id });
    return autosave.answered(id, text, since) ? text : (texts.get(id) ?? text);
  }

  function change(id: string, text: string): void {
    show(id, text);
    autosave.change(id, text);
  }
  const { storedOf, problem } = autosave;
  return { texts, storedOf, problem, problems, load, change };
});
