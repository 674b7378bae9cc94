import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Language } from '#shared/desk/setup/workspace.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';

/** The version, the workspace and the language of the desk. */
export const useDeskStore = defineStore('desk', () => {
  const { client } = useTransport();
  const options = { changedBy: ({ type }: DeskEvent) => type === 'desk.changed', ofDesk: true };
  const about = useLiveData(() => client.desk.info(), options);
  /**
   * The language, which the engine decides for every part of the desk. It is null until the engine
   * answers.
   */
  const spoken = useLiveData(() => client.desk.language(), options);
  const { problem } = about;
  /** If no workspace is open any more, the values of the last one would be misleading. */
  const info = computed(() => (problem.value?.code === 'no_connection' ? null : about.data.value));
  const workspace = computed(() => info.value?.workspace ?? null);

  /**
   * Whether practice is offered. The state in which nothing can be opened is shown only if practice
   * is off.
   */
  const practice = computed(() => info.value?.practice ?? problem.value?.code !== 'no_connection');
  /** Whether the practice workspace is open. Only then is there an insurer to play. */
  const practises = computed(() => workspace.value?.kind === 'practice');

  async function load(): Promise<void> {
    await Promise.all([spoken.load(), about.load()]);
  }

  async function setLanguage(chosen: Language): Promise<void> {
    spoken.data.value = await client.desk.setLanguage({ language: chosen });
  }

  return {
    info,
    language: spoken.data,
    workspace,
    practice,
    practises,
    problem,
    load,
    setLanguage,
  };
});
