import { defineStore } from 'pinia';
import { computed, type Ref } from 'vue';
import type { DiagnosticsPart } from '#shared/desk/setup/diagnostics.ts';
import { isLocked, type LockableSetting } from '#shared/desk/setup/policy.ts';
import type { StorageRuleInput } from '#shared/desk/setup/storage.ts';
import type {
  AutomaticBackupInput,
  PathQuestion,
  WorkBackup,
  WorkBackupDecision,
  WorkPackageInput,
} from '#shared/desk/setup/work-package.ts';
import type {
  ConnectionChange,
  ConnectionInput,
  ConnectionRemoval,
  EnrolInput,
  RecoverKey,
} from '#shared/desk/setup/workspace.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';

/** The calls of the settings to the engine. */
export const useSettingsStore = defineStore('settings', () => {
  const { client } = useTransport();
  const ofPolicy = useLiveData(() => client.desk.policy(), { ofDesk: true });
  const policy = computed(() => ofPolicy.data.value?.items ?? []);
  /** Whether the policy was read. Before that, no setting is known to be locked. */
  const isPolicyRead = computed(() => ofPolicy.data.value !== null);

  const ofStorage = useLiveData(() => client.storage.get());
  const storage = ofStorage.data;
  async function setDocumentRule(rule: StorageRuleInput): Promise<void> {
    storage.value = await client.storage.setRule(rule);
  }
  /** @returns the number of bytes that were freed */
  async function freeStorage(): Promise<number> {
    const before = storage.value?.documents.bytes ?? 0;
    storage.value = await client.storage.free();
    return Math.max(0, before - storage.value.documents.bytes);
  }

  const ofBackup = useLiveData(() => client.tools.automaticBackup(), {
    changedBy: ({ type }) => type === 'desk.changed',
    ofDesk: true,
  });
  const automaticBackup = ofBackup.data;
  async function setAutomaticBackup(input: AutomaticBackupInput): Promise<void> {
    automaticBackup.value = await client.tools.setAutomaticBackup(input);
  }
  /** Stores the path that the user chooses in the system's dialog, if the user chooses one. */
  async function choosePath(purpose: PathQuestion['purpose'], path: Ref<string>): Promise<void> {
    const chosen = await client.tools.choosePath({ purpose, suggested: path.value.trim() });
    path.value = chosen.path ?? path.value;
  }

  return {
    automaticBackup,
    loadAutomaticBackup: ofBackup.load,
    automaticBackupProblem: ofBackup.problem,
    setAutomaticBackup,
    choosePath,
    policy,
    loadPolicy: ofPolicy.load,
    policyProblem: ofPolicy.problem,
    isPolicyRead,
    isLocked: (setting: LockableSetting) => isLocked(policy.value, setting),
    storage,
    loadStorage: ofStorage.load,
    storageProblem: ofStorage.problem,
    setDocumentRule,
    freeStorage,
    testConnection: (input: ConnectionInput) => client.workspaces.test(input),
    /** Stores the connection with its key, and opens the connection. */
    connect: (input: ConnectionInput) => client.workspaces.connect(input),
    /** Enrols this laptop at an office gateway, and opens the connection. */
    enrol: (input: EnrolInput) => client.workspaces.enrol(input),
    /** Reads a connection and what it contains that was not sent. */
    connection: (id: string) => client.workspaces.get({ id }),
    changeConnection: (input: ConnectionChange) => client.workspaces.change(input),
    removeConnection: (input: ConnectionRemoval) => client.workspaces.remove(input),
    useWorkspace: (id: string) => client.workspaces.use({ id }),
    checkConnection: () => client.tools.checkConnection({}),
    /** Reads the data of connections that the settings do not know. */
    orphans: async () => (await client.workspaces.orphans()).items,
    /** Reads the workspace whose key is missing in the keychain. `recoverKey` puts the key back. */
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
