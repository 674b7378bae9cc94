import type { KeyObject } from 'node:crypto';
import { documentsBucket, standardBucket } from '#shared/api/limits.ts';
import {
  type ConnectionCheck,
  type ConnectionStep,
  connectionSteps,
} from '#shared/desk/setup/diagnostics.ts';
import {
  DeskError,
  type DeskErrorCode,
  type DeskProblem,
  paramOf,
} from '#shared/desk/contract/errors.ts';
import { toDeskError } from '#main/log/faults.ts';
import { countOf, type ClientCase, type TolerantPage } from '../../partner/answers/answers.ts';
import type { PartnerClient, PartnerClientOptions } from '../../partner/partner-client.ts';
import type { ClientLogEntry } from '../../partner/requests/signed-request.ts';
import type { EngineOptions } from '../engine.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import { createProbe } from '../workspace/connection-policy.ts';
import { connectionSettings } from './connection-settings.ts';

/** A connection to test, with the partner's limits that the desk observes. */
export interface CheckedConnection {
  readonly record: WorkspaceRecord;
  readonly privateKey: KeyObject;
  readonly limits: PartnerClientOptions['limits'];
  readonly isUsable: boolean;
  /** The reason why the last reading of the list is not complete. */
  readonly incomplete: DeskProblem | null;
}

interface Failure {
  readonly step: ConnectionStep;
  readonly error: DeskError;
}

/**
 * Tests a connection by reading the list of cases with the same client code as all work. The
 * failure determines the step. The test costs one token and up to three requests of the standard
 * bucket.
 */
export async function checkConnection(
  options: EngineOptions,
  checked: CheckedConnection,
): Promise<ConnectionCheck> {
  const { record, privateKey, isUsable } = checked;
  const answered: ClientLogEntry[] = [];
  // The client has the keys of the connection, but nothing that its usual client has learned.
  const probe = createProbe(
    { ...options, onRequest: (entry) => void (entry.status !== null && answered.push(entry)) },
    {
      ...record,
      scope: record.scope ?? undefined,
      changedSinceParameter: record.changedSinceParameter ?? undefined,
    },
    privateKey,
  );
  let caseCount: number | null = null;
  let failure: Failure | null = null;
  let asked: ReturnType<PartnerClient['lastExchange']> = null;
  let ignored: ConnectionCheck['ignored'] = [];
  try {
    const { value } = await probe.listCases({ page: 1, size: 1 }, { priority: 'person' });
    caseCount = value.total;
    asked = probe.lastExchange();
    ignored = await ignoredParameters(probe, value).catch(nothingTested);
    if (checked.incomplete) failure = { step: 'list', error: DeskError.of(checked.incomplete) };
  } catch (thrown) {
    const error = toDeskError(thrown, 'doctor', options.log);
    failure = { step: stepOf(error, answered), error };
    asked = probe.lastExchange();
  } finally {
    await probe.close();
  }
  const offsetS = Math.round((probe.serverNow() - options.clock.now()) / 1000);
  const settings = connectionSettings(record, options.policy ?? {});
  const baseUrl = settings.find(({ name }) => name === 'baseUrl')?.value ?? record.baseUrl;
  const items = stepItems(baseUrl, failure, paramsOf(checked, { baseUrl, offsetS, caseCount }));
  return {
    connection: { name: record.name, baseUrl, isUsable },
    settings,
    ignored,
    asked,
    items,
    total: items.length,
  };
}

/** If a request of this test fails, it is no finding, because the steps before have succeeded. */
const nothingTested = (): ConnectionCheck['ignored'] => [];

/** The longest time until a record becomes visible after its LastChangedAt. */
const overlapMs = 5 * 60_000;

/**
 * Finds the parameters that the partner ignores. @param first the answer to the first page of size
 * one
 */
async function ignoredParameters(
  probe: PartnerClient,
  first: TolerantPage<ClientCase>,
): Promise<ConnectionCheck['ignored']> {
  const ignored: ConnectionCheck['ignored'] = [];
  if (first.total === 0) return ignored;
  if (countOf(first) > 1) ignored.push('size');
  const options = { priority: 'person' } as const;
  const nowMs = probe.serverNow();
  const since = new Date(nowMs).toISOString();
  const changed = await probe.listCases({ page: 1, size: 1, lastChangedSince: since }, options);
  const isOld = ({ lastChangedAt }: ClientCase) => Date.parse(lastChangedAt) < nowMs - overlapMs;
  if (changed.value.items.some(isOld)) ignored.push('lastChangedSince');
  const second = await probe.listCases({ page: 2, size: 1 }, options);
  const firstIds = new Set(first.items.map(({ id }) => id));
  if (second.value.items.some(({ id }) => firstIds.has(id))) ignored.push('page');
  return ignored;
}

type StepParams = Partial<Record<ConnectionStep, ConnectionCheck['items'][number]['params']>>;

function paramsOf(
  { limits }: CheckedConnection,
  found: { baseUrl: string; offsetS: number; caseCount: number | null },
): StepParams {
  const { host } = new URL(found.baseUrl);
  const { standard = standardBucket, documents = documentsBucket } = limits ?? {};
  return {
    address: { host },
    connection: { host },
    clock: { offsetS: found.offsetS },
    list: { caseCount: found.caseCount },
    limits: {
      standardPerMinute: standard.refillPerMinute,
      standardBurst: standard.capacity,
      documentsPerMinute: documents.refillPerMinute,
      documentsBurst: documents.capacity,
    },
  };
}

function stepItems(
  baseUrl: string,
  failure: Failure | null,
  params: StepParams,
): ConnectionCheck['items'] {
  const isPlainHttp = new URL(baseUrl).protocol === 'http:';
  const failedAt = failure ? connectionSteps.indexOf(failure.step) : connectionSteps.length;
  return connectionSteps.map((id, at): ConnectionCheck['items'][number] => {
    if (failure && at === failedAt) {
      return { id, outcome: 'failed', problem: failure.error.problem, params: {} };
    }
    const isPlain = id === 'encryption' && isPlainHttp;
    if (at > failedAt || isPlain) return { id, outcome: 'skipped', problem: null, params: {} };
    return { id, outcome: 'ok', problem: null, params: params[id] ?? {} };
  });
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
  sign_in_refused: 'token',
  path_unknown: 'partner',
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
