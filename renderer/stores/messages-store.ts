import { defineStore } from 'pinia';
import { computed, shallowReactive } from 'vue';
import type { VisitMessages } from '#shared/desk/cases/day.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';
import { useUnsavedStore } from './unsaved-store.ts';

/** The user's own messages before a visit, by language. */
export const useMessagesStore = defineStore('messages', () => {
  const { client } = useTransport();
  const {
    data: stored,
    load,
    problem,
  } = useLiveData(() => client.day.messages(), { ofDesk: true });
  /** What was typed and is not stored yet. It stays while another page is shown. */
  const typed = shallowReactive(new Map<Language, string>());
  const texts = computed(() => [...typed.values()]);
  useUnsavedStore().add({ isAny: computed(() => typed.size > 0), texts });

  const read = (): Promise<VisitMessages> => client.day.messages();
  const textOf = (language: Language) => typed.get(language) ?? stored.value?.[language] ?? '';
  const type = (language: Language, text: string) => void typed.set(language, text);

  async function save(): Promise<void> {
    const sent = new Map(typed);
    // A language with an empty text has the text of the desk.
    const written = languages.flatMap((one) => {
      const text = textOf(one).trim();
      return text === '' ? [] : [[one, text] as const];
    });
    stored.value = await client.day.setMessages(Object.fromEntries(written));
    // What was typed in the meantime is not stored.
    for (const [language, text] of sent) if (typed.get(language) === text) typed.delete(language);
  }
  return { stored, problem, load, read, textOf, type, save };
});
