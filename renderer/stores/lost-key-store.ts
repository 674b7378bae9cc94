import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { LostKey, RecoverKey } from '#shared/desk/workspace.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useDeskStore } from './desk-store.ts';

/** The workspace whose key is missing in the keychain, and putting it back. */
export const useLostKeyStore = defineStore('lost-key', () => {
  const { client } = useTransport();
  const desk = useDeskStore();
  const lost = shallowRef<LostKey | null>(null);
  const problem = shallowRef<Problem | null>(null);
  const busy = shallowRef(false);

  async function load(): Promise<void> {
    busy.value = true;
    problem.value = null;
    try {
      lost.value = await client.workspaces.lostKey();
      // Put back meanwhile, by another window or the command line: the desk is asked again.
      if (lost.value === null) await desk.load();
    } catch (error) {
      problem.value = toProblem(error);
    } finally {
      busy.value = false;
    }
  }

  /** @returns whether the workspace is open now; every window hears of it by itself */
  async function recover(input: RecoverKey): Promise<boolean> {
    busy.value = true;
    problem.value = null;
    try {
      await client.workspaces.recoverKey(input);
      return true;
    } catch (error) {
      problem.value = toProblem(error);
      return false;
    } finally {
      busy.value = false;
    }
  }

  return { lost, problem, busy, load, recover };
});
