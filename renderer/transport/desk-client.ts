import type { ContractRouterClient } from '@orpc/contract';
import { inject, type InjectionKey } from 'vue';
import type { contract } from '#shared/desk/contract.ts';
import type { FileAccess } from './files.ts';

/** The contract as the window calls it. */
export type DeskClient = ContractRouterClient<typeof contract>;

/** Both ways into the engine: calls and bytes. */
export interface Transport {
  readonly client: DeskClient;
  readonly files: FileAccess;
}

export const transportKey: InjectionKey<Transport> = Symbol('transport');

/** The transport that the application was given; for stores only. */
export function useTransport(): Transport {
  const transport = inject(transportKey);
  if (!transport) throw new Error('no transport was provided');
  return transport;
}
