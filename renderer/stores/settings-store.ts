import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { ConnectionCheck } from '#shared/desk/connection-check.ts';
import type { Diagnostics } from '#shared/desk/diagnostics.ts';
import type { RestoredWork, WorkPackage, WorkPackageInput } from '#shared/desk/work-package.ts';
import type { ConnectionInput, ConnectionTest, PolicyValue } from '#shared/desk/workspace.ts';
import { useTransport } from '../transport/desk-client.ts';

/** What the settings ask of the engine. Every call throws what went wrong. */
export const useSettingsStore = defineStore('settings', () => {
  const { client } = useTransport();
  const policy = shallowRef<readonly PolicyValue[] | null>(null);

  async function loadPolicy(): Promise<void> {
    policy.value = (await client.desk.policy()).items;
  }

  return {
    policy,
    loadPolicy,
    testConnection: (input: ConnectionInput): Promise<ConnectionTest> =>
      client.workspaces.test(input),
    /** Stores the connection with its key, and opens it. */
    connect: async (input: ConnectionInput): Promise<void> => {
      await client.workspaces.connect(input);
    },
    useWorkspace: async (id: string): Promise<void> => {
      await client.workspaces.use({ id });
    },
    checkConnection: (): Promise<ConnectionCheck> => client.tools.checkConnection(),
    backUp: (input: WorkPackageInput): Promise<WorkPackage> => client.tools.backUp(input),
    restore: (input: WorkPackageInput): Promise<RestoredWork> => client.tools.restore(input),
    writeDiagnostics: (file: string): Promise<Diagnostics> =>
      client.tools.writeDiagnostics({ file }),
    fetchDocuments: async (documents: 'due' | 'all'): Promise<void> => {
      await client.sync.run({ documents });
    },
  };
});
