import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { HandOverResult, Office } from '#shared/desk/cases/own-cases.ts';
import { createLatest } from '../lib/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';
import { useLiveStore } from './live-store.ts';
import { useUndoStore } from './undo-store.ts';

/** A person of the office, with the id that the gateway knows. */
export type Person = Extract<Office, { state: 'may' }>['people'][number];

/** The number of cases that were just assigned, and the name of the person. */
export interface Assigned {
  readonly n: number;
  readonly name: string;
}

/**
 * The people of the office who handle cases, as noted on this device or assigned in the office's
 * gateway.
 */
export const useHandlersStore = defineStore('handlers', () => {
  const { client } = useTransport();
  const undos = useUndoStore();
  const { data, load } = useLiveData(() => client.own.handlers(), {
    // Changes that name their cases come from the insurer, or from what is typed and sent.
    changedBy: (event) => event.type === 'cases.changed' && event.caseIds === null,
  });
  const names = computed(() => data.value?.names ?? []);

  /**
   * Sets the person who handles cases. The user can take this back. @param name empty for nobody
   */
  const set = (ids: readonly string[], name: string): Promise<void> =>
    undos.acting(async () => {
      const { before, ...noted } = await client.own.setHandler({ ids: [...ids], name });
      data.value = noted;
      const undo = async () => {
        for (const one of before) data.value = await client.own.setHandler(one);
      };
      undos.offer({ key: 'undo.handler', params: { n: ids.length }, undo });
    });

  /** Whether cases can be assigned in the office's gateway; null until the gateway was asked. */
  const office = shallowRef<Office | null>(null);
  const latest = createLatest();
  const askOffice = (): Promise<void> =>
    latest.ask(
      () => client.own.office(),
      (answer) => (office.value = answer),
    );
  useLiveStore().on(({ type }) => {
    if (type !== 'workspace.changed') return;
    latest.drop();
    office.value = null;
  });
  const handOver = (ids: readonly string[], person: Person): Promise<HandOverResult> =>
    client.own.handOver({ ids: [...ids], person });

  return { names, load, set, office, askOffice, handOver };
});
