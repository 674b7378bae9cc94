import { documentsBucket, standardBucket } from '#shared/api/limits.ts';
import {
  type ConnectionCheck,
  type ConnectionStep,
  connectionSteps,
} from '#shared/desk/diagnostics.ts';
import { type DeskError, type DeskErrorCode, paramOf } from '#shared/desk/errors.ts';
import { toDeskError } from '#main/log/faults.ts';
import type { ClientLogEntry } from '../../partner/signed-request.ts';
import type { EngineOptions } from '../engine.ts';
import { createProbe } from '../workspace/connection-policy.ts';
import type { CurrentWorkspace } from '../workspace/current-workspace.ts';

/**
 * Tests a connection by reading the list of cases once, through the client of all work; the failure
 * names the step. Costs one token and one request of the standard bucket.
 */
export async function checkConnection(
  options: EngineOptions,
  { workspace, privateKey }: CurrentWorkspace['opened'],
): Promise<ConnectionCheck> {
  const { baseUrl, limits, record, clock } = workspace;
  const { host, protocol } = new URL(baseUrl);
  const answered: ClientLogEntry[] = [];
  // With the connection's keys and nothing that its client learned before.
  const probe = createProbe(
    { ...options, onRequest: (entry) => void (entry.status !== null && answered.push(entry)) },
    { ...record, scope: record.scope ?? undefined },
    privateKey,
  );
  let caseCount: number | null = null;
  let failure: { step: ConnectionStep; error: DeskError } | null = null;
  try {
    const { value } = await probe.listCases({ page: 1, size: 1 }, { priority: 'person' });
    caseCount = value.total;
  } catch (thrown) {
    const error = toDeskError(thrown, 'doctor', options.log);
    failure = { step: stepOf(error, answered), error };
  } finally {
    await probe.close();
  }
  const offsetS = Math.round((probe.serverNow() - clock.now()) / 1000);
  const { standard = standardBucket, documents = documentsBucket } = limits ?? {};
  const params: Partial<Record<ConnectionStep, ConnectionCheck['items'][number]['params']>> = {
    address: { host },
    connection: { host },
    clock: { offsetS },
    list: { caseCount },
    limits: {
      standardPerMinute: standard.refillPerMinute,
      standardBurst: standard.capacity,
      documentsPerMinute: documents.refillPerMinute,
      documentsBurst: documents.capacity,
    },
  };
  const failedAt = failure ? connectionSteps.indexOf(failure.step) : connectionSteps.length;
  const items = connectionSteps.map((id, at): ConnectionCheck['items'][number] => {
    if (failure && at === failedAt) {
      return { id, outcome: 'failed', problem: failure.error.problem, params: {} };
    }
    const isPlain = id === 'encryption' && protocol === 'http:';
    if (at > failedAt || isPlain) return { id, outcome: 'skipped', problem: null, params: {} };
    return { id, outcome: 'ok', problem: null, params: params[id] ?? {} };
  });
  return { items, total: items.length };
}

const stepByCode: Partial<Record<DeskErrorCode, ConnectionStep>> = {
  address_unknown: 'address',
  offline: 'connection',
  connection_refused: 'connection',
  certificate_untrusted: 'encryption',
  captive_portal: 'partner',
  answer_foreign: 'partner',
  redirect_refused: 'partner',
  proxy_sign_in: 'connection',
  clock_wrong: 'clock',
  client_id_unknown: 'token',
  key_rejected: 'token',
  access_revoked: 'token',
  audience_wrong: 'token',
  organization_kind_wrong: 'list',
};

function stepOf(error: DeskError, answered: readonly ClientLogEntry[]): ConnectionStep {
  if (paramOf(error, 'found') === 'no-tls') return 'encryption';
  if (paramOf(error, 'title') === 'invalid_dpop') return 'proof';
  const known = stepByCode[error.code];
  if (known) return known;
  if (answered.length === 0) return 'connection';
  const hasToken = answered.some(
    ({ operation, status }) => operation === 'token' && status !== null && status < 300,
  );
  return hasToken ? 'list' : 'token';
}
