import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Store } from '#main/front/store/store.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import type { GatewayTables } from '#main/gateway/tables.ts';
import { temporaryFolder } from '../../../support/processes.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';

/** A new store of the gateway in files for each test of the file, which is removed after it. */
export function shareGatewayStore(): () => Store<GatewayTables> {
  let open: Store<GatewayTables> | undefined;
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(async () => {
    folder = temporaryFolder();
    const directory = join(folder.path, 'gateway');
    const { log } = createMemoryLog();
    open = await openGatewayStore({ directory, database: undefined, log });
  });
  afterEach(async () => {
    await open?.close();
    folder.remove();
  });
  return () => {
    if (!open) throw new Error('the store is not open yet');
    return open;
  };
}
