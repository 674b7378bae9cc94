import { defineStore } from 'pinia';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';

/** The telephone that photographs for a draft. There is one at a time. */
export const useTelephoneStore = defineStore('telephone', () => {
  const { client } = useTransport();
  const {
    data: state,
    load,
    problem,
  } = useLiveData(() => client.telephone.state(), {
    changedBy: ({ type }) => type === 'telephone.changed',
  });

  /** Shows a new code for a draft. @param address null: the one that was used last */
  async function begin(draftId: string, address: string | null): Promise<void> {
    state.value = await client.telephone.begin({ draftId, address });
  }
  async function end(): Promise<void> {
    state.value = await client.telephone.end();
  }
  return { state, load, problem, begin, end };
});
