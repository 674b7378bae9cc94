import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { defaultDocumentRule } from '#shared/desk/setup/storage.ts';
import {
  openWorkspace,
  type OpenWorkspace,
  type WorkspaceOptions,
} from '#main/engine/workspace/open-workspace.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { dpopKeys, rsaKeys } from './test-client.ts';
import { workspaceRecord } from './test-desk.ts';
import { testFolder } from './test-engine.ts';

/**
 * Opens the workspace of a connection, with the given changes. It is closed after the running test.
 */
export async function openTestWorkspace(
  changes: Partial<Omit<WorkspaceOptions, 'keys'>> & { privateKeyPem?: string } = {},
): Promise<OpenWorkspace> {
  const {
    privateKeyPem = rsaKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ...options
  } = changes;
  const dir = testFolder();
  const workspace = await openWorkspace({
    record: workspaceRecord(),
    dir,
    keys: {
      database: 'ab'.repeat(32),
      dpopKey: dpopKeys.privateKey,
      privateKey: createPrivateKey(privateKeyPem),
    },
    policy: {},
    documentRule: () => defaultDocumentRule,
    auditFile: join(dir, 'audit.log'),
    log: faultLog,
    onRequest: undefined,
    onDamage: () => undefined,
    emit: () => undefined,
    clock: systemClock,
    random: systemRandom,
    ...options,
  });
  onTestFinished(() => workspace.close());
  return workspace;
}
