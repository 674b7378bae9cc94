import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { DeskInfo, Language } from '#shared/desk/workspace.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useLiveStore } from './live-store.ts';

/** Which desk this is: version, workspace, language. */
export const useDeskStore = defineStore('desk', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const info = shallowRef<DeskInfo | null>(null);
  const problem = shallowRef<Problem | null>(null);
  /** Decided by the engine, for every part of the desk; null until it answers. */
  const language = shallowRef<Language | null>(null);
  const workspace = computed(() => info.value?.workspace ?? null);

  /** Nothing to open at all is shown only if practice is off. */
  const practice = computed(() => info.value?.practice ?? problem.value?.code !== 'no_connection');

  async function loadLanguage(): Promise<void> {
    // Without an answer the language of the window does not change.
    language.value = await client.desk.language().catch(() => language.value);
  }

  async function load(): Promise<void> {
    const languageLoaded = loadLanguage();
    try {
      info.value = await client.desk.info();
      problem.value = null;
    } catch (error) {
      problem.value = toProblem(error);
      // The workspace that was open is no more; what was read about it would mislead.
      if (problem.value.code === 'no_connection') info.value = null;
    }
    await languageLoaded;
  }

  async function setLanguage(chosen: Language): Promise<void> {
    language.value = await client.desk.setLanguage({ language: chosen });
  }

  live.on((event) => {
    if (event.type === 'workspace.changed' || event.type === 'desk.changed') void load();
  });
  live.onResumed(() => void load());
  /** Whether the practice workspace is open: only then there is an insurer to play. */
  const practises = computed(() => workspace.value?.kind === 'practice');

  return { info, language, workspace, practice, practises, problem, load, setLanguage };
});
