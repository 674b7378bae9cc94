import { defineStore } from 'pinia';
import { type Ref, shallowRef } from 'vue';
import type { DiagnosticsPart } from '#shared/desk/diagnostics.ts';
import type { Storage, StorageRuleInput } from '#shared/desk/storage.ts';
import type {
  AutomaticBackup,
  AutomaticBackupInput,
  PathQuestion,
  WorkBackup,
  WorkBackupDecision,
  WorkPackageInput,
} from '#shared/desk/work-package.ts';
import type {
  ConnectionChange,
  ConnectionInput,
  ConnectionRemoval,
  EnrolInput,
  PolicyValue,
  RecoverKey,
} from '#shared/desk/workspace.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';

/** What the settings ask of the engine. Every call throws what went wrong. */
export const useSettingsStore = defineStore('settings', () => {
  const { client } = useTransport();
  const storage = shallowRef<Storage | null>(null);
  const policy = shallowRef<readonly PolicyValue[]>([]);

  async function loadPolicy(): Promise<void> {
    policy.value = (await client.desk.policy()).items;
  }

  /** Whether the organization set this value, or one beneath it: `language`, `connection`. */
  const isLocked = (name: string): boolean =>
    policy.value.some((value) => value.name === name || value.name.startsWith(`${name}.`));

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

  const automaticBackup = shallowRef<AutomaticBackup | null>(null);
  async function loadAutomaticBackup(): Promise<void> {
    automaticBackup.value = await client.tools.automaticBackup();
  }
  async function setAutomaticBackup(input: AutomaticBackupInput): Promise<void> {
    automaticBackup.value = await client.tools.setAutomaticBackup(input);
  }
  useLiveStore().on((event) => {
    // A failed load leaves what was read before.
    if (event.type === 'desk.changed' && automaticBackup.value)
      loadAutomaticBackup().catch(() => undefined);
  });
  /** Takes what the user chooses in the system's dialog, if anything. */
  async function choosePath(purpose: PathQuestion['purpose'], path: Ref<string>): Promise<void> {
    const chosen = await client.tools.choosePath({ purpose, suggested: path.value.trim() });
    path.value = chosen.path ?? path.value;
  }

  return {
    automaticBackup,
    loadAutomaticBackup,
    setAutomaticBackup,
    choosePath,
    policy,
    loadPolicy,
    isLocked,
    storage,
    loadStorage,
    setDocumentRule,
    freeStorage,
    testConnection: (input: ConnectionInput) => client.workspaces.test(input),
    /** Stores the connection with its key, and opens it. */
    connect: (input: ConnectionInput) => client.workspaces.connect(input),
    /** Enrols this laptop at an office gateway, and opens the connection. */
    enrol: (input: EnrolInput) => client.workspaces.enrol(input),
    /** A connection with what it contains that was not sent. */
    connection: (id: string) => client.workspaces.get({ id }),
    changeConnection: (input: ConnectionChange) => client.workspaces.change(input),
    removeConnection: (input: ConnectionRemoval) => client.workspaces.remove(input),
    useWorkspace: (id: string) => client.workspaces.use({ id }),
    checkConnection: () => client.tools.checkConnection(),
    /** The workspace whose key is missing in the keychain, and putting the key back. */
    lostKey: () => client.workspaces.lostKey(),
    recoverKey: (input: RecoverKey) => client.workspaces.recoverKey(input),
    suggestFiles: () => client.tools.suggestFiles(),
    backUp: (input: WorkPackageInput) => client.tools.backUp(input),
    restore: (input: WorkPackageInput) => client.tools.restore(input),
    workBackups: async (): Promise<readonly WorkBackup[]> =>
      (await client.tools.workBackups()).items,
    decideOnWorkBackup: (decision: WorkBackupDecision) => client.tools.decideOnWorkBackup(decision),
    previewDiagnostics: async (): Promise<readonly DiagnosticsPart[]> =>
      (await client.tools.previewDiagnostics()).items,
    writeDiagnostics: (file: string) => client.tools.writeDiagnostics({ file }),
    fetchDocuments: (documents: 'due' | 'all') => client.sync.run({ documents }),
  };
});
