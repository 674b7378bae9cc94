import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { InstallMoment } from '#shared/desk/setup/update.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';

/** The newer version of the desk, and who installs it. */
export const useUpdateStore = defineStore('update', () => {
  const { client } = useTransport();
  const { data: found, load } = useLiveData(() => client.desk.update(), {
    changedBy: ({ type }) => type === 'update.changed',
    ofDesk: true,
  });
  /** The version whose line the user closed in this window. */
  const closed = shallowRef<string | null>(null);

  async function install(when: InstallMoment): Promise<void> {
    found.value = await client.desk.installUpdate({ when });
  }

  return { found, closed, load, install };
});
