import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { ConnectionCheck } from '#shared/desk/connection-check.ts';
import type { Diagnostics, DiagnosticsPart } from '#shared/desk/diagnostics.ts';
import type { Storage, StorageRuleInput } from '#shared/desk/storage.ts';
import type {
  RestoredWork,
  SuggestedFiles,
  WorkBackup,
  WorkBackupDecision,
  WorkPackage,
  WorkPackageInput,
} from '#shared/desk/work-package.ts';
import type { ConnectionInput, ConnectionTest, PolicyValue } from '#shared/desk/workspace.ts';
import { useTransport } from '../transport/transport.ts';

/** What the settings ask of the engine. Every call throws what went wrong. */
export const useSettingsStore = defineStore('settings', () => {
  const { client } = useTransport();
  const storage = shallowRef<Storage | null>(null);
  const policy = shallowRef<readonly PolicyValue[] | null>(null);

  async function loadPolicy(): Promise<void> {
    policy.value = (await client.desk.policy()).items;
  }

  /** Whether the organization set this value, or one beneath it: `language`, `connection`. */
  const isLocked = (name: string): boolean =>
    policy.value?.some((value) => value.name === name || value.name.startsWith(`${name}.`)) ??
    false;

  async function loadStorage(): Promise<void> {
    storage.value = await client.storage.get();
  }
  async function setDocumentRule(rule: StorageRuleInput): Promise<void> {
    storage.value = await client.storage.setRule(rule);
  }
  /** @returns the bytes that it gave back */
  async function freeStorage(): Promise<number> {
    const before = storage.value?.documents.bytes ?? 0;
    storage.value = await client.storage.free();
    return Math.max(0, before - storage.value.documents.bytes);
  }

  return {
    policy,
    loadPolicy,
    isLocked,
    storage,
    loadStorage,
    setDocumentRule,
    freeStorage,
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
    suggestFiles: (): Promise<SuggestedFiles> => client.tools.suggestFiles(),
    backUp: (input: WorkPackageInput): Promise<WorkPackage> => client.tools.backUp(input),
    restore: (input: WorkPackageInput): Promise<RestoredWork> => client.tools.restore(input),
    workBackups: async (): Promise<readonly WorkBackup[]> =>
      (await client.tools.workBackups()).items,
    decideOnWorkBackup: (decision: WorkBackupDecision): Promise<RestoredWork | null> =>
      client.tools.decideOnWorkBackup(decision),
    previewDiagnostics: async (): Promise<readonly DiagnosticsPart[]> =>
      (await client.tools.previewDiagnostics()).items,
    writeDiagnostics: (file: string): Promise<Diagnostics> =>
      client.tools.writeDiagnostics({ file }),
    fetchDocuments: async (documents: 'due' | 'all'): Promise<void> => {
      await client.sync.run({ documents });
    },
  };
});
