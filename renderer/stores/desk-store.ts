import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Language } from '#shared/desk/workspace.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';

/** Which desk this is: version, workspace, language. */
export const useDeskStore = defineStore('desk', () => {
  const { client } = useTransport();
  const options = { changedBy: ({ type }: DeskEvent) => type === 'desk.changed', ofDesk: true };
  const about = useLiveData(() => client.desk.info(), options);
  /** Decided by the engine, for every part of the desk; null until it answers. */
  const spoken = useLiveData(() => client.desk.language(), options);
  const { problem } = about;
  /** If no workspace is open any more, what was read about the last one would mislead. */
  const info = computed(() => (problem.value?.code === 'no_connection' ? null : about.data.value));
  const workspace = computed(() => info.value?.workspace ?? null);

  /** Nothing to open at all is shown only if practice is off. */
  const practice = computed(() => info.value?.practice ?? problem.value?.code !== 'no_connection');
  /** Whether the practice workspace is open: only then there is an insurer to play. */
  const practises = computed(() => workspace.value?.kind === 'practice');

  async function load(): Promise<void> {
    await Promise.all([spoken.load(), about.load()]);
  }

  async function setLanguage(chosen: Language): Promise<void> {
    spoken.data.value = await client.desk.setLanguage({ language: chosen });
  }

  return {
    ...{ info, language: spoken.data, workspace, practice, practises },
    ...{ problem, load, setLanguage },
  };
});
