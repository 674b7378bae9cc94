import { createHmac, randomBytes } from 'node:crypto';
import { arch, release } from 'node:os';
import { strToU8, zipSync } from 'fflate';
import { contractVersion } from '#shared/desk/contract/contract.ts';
import type { Diagnostics, DiagnosticsPart } from '#shared/desk/setup/diagnostics.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { QueueItem, QueueStep } from '#shared/desk/delivery/queue.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { writeNewFile } from '../disk/write-file.ts';
import type { Settings } from '../home/settings.ts';
import { workMigrations } from '../work/schema.ts';
import { policyValues } from '../policy-schema.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { listCases } from '../cases/list-cases.ts';
import { listQueue } from '../cases/queue.ts';

export interface DiagnosticsSource {
  readonly settings: Settings;
  readonly policy: object;
  readonly vaultKind: string;
  readonly requests: readonly object[];
  /** The open workspace; null if none is open, which is when a bundle is most useful. */
  readonly workspace: OpenWorkspace | null;
}

const queueMax = 1000;
/** The members of the policy whose values contain no person, account or machine. */
const openPolicy =
  /^(?:limits|paths|language|logLevel|updates|practice|documentRetentionDays|caseRetentionDays|textRecognition)\b/;

/**
 * Writes a bundle for support: versions, settings without names and secrets, figures, the queue as
 * codes, the last requests, and the last decisions of the delivery. It contains nothing of a case,
 * and no name, key, token or path.
 * @throws {DeskError} file_exists, file_unwritable, disk_full
 */
export async function writeDiagnostics(
  source: DiagnosticsSource,
  file: string,
): Promise<Diagnostics> {
  const parts = await diagnosticsParts(source);
  const bytes = zipSync(Object.fromEntries(parts.map(({ name, text }) => [name, strToU8(text)])));
  const sizeBytes = await writeNewFile(file, [bytes]);
  return { file, sizeBytes, parts: parts.map(({ name }) => name) };
}

/** The present content of the bundle. */
export async function diagnosticsParts(source: DiagnosticsSource): Promise<DiagnosticsPart[]> {
  const { alias, problemView, queueView } = createRedactor();
  const { settings, workspace } = source;
  const parts: Record<string, unknown> = {
    'about.json': {
      version: packageJson.version,
      contractVersion,
      runtime: process.versions,
      system: { platform: process.platform, release: release(), arch: arch() },
      workSchema: workMigrations.length,
      vault: source.vaultKind,
    },
    'settings.json': {
      version: settings.version,
      language: settings.language,
      active: settings.activeId && alias(settings.activeId),
      workspaces: settings.workspaces.map((record) => ({
        id: alias(record.id),
        kind: record.kind,
        protocol: protocolOf(record.baseUrl),
        host: alias(record.baseUrl),
        hasScope: record.scope !== null,
        htuWithoutQuery: record.htuWithoutQuery,
        changedSinceParameter: record.changedSinceParameter,
      })),
    },
    'policy.json': policyValues(source.policy).map(({ name, value }) => ({
      name,
      value: openPolicy.test(name) ? value : '(set)',
    })),
    'requests.json': source.requests,
  };
  if (workspace) {
    const { cache, work, sync, cacheFiles, workFiles } = workspace;
    const { total, byStatus } = listCases(workspace, { limit: 1 });
    const { problem, ...status } = sync.status();
    const queue = listQueue(workspace, { includeDone: true, limit: queueMax });
    const drafts = work.drafts.listOpen(null);
    parts['figures.json'] = {
      cases: total,
      byStatus,
      drafts: drafts.map(({ attachments, queueId }) => ({
        files: attachments.length,
        bytes: attachments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        isQueued: queueId !== null,
      })),
      queue: queue.total,
      files: {
        cache: (await cacheFiles.list()).length,
        work: (await workFiles.list()).length,
        named: cache.documents.blobIds().size,
      },
      hasSetAside: work.hasSetAside,
    };
    parts['sync.json'] = { ...status, problem: problemView(problem) };
    parts['queue.json'] = queue.items.map(queueView);
    // Each decision is on a separate line, because there are thousands.
    parts['decisions.json'] = `[\n${work.outbox.trace.stored().join(',\n')}\n]`;
  }
  return Object.entries(parts).map(([name, part]) => ({
    name,
    text: `${typeof part === 'string' ? part : JSON.stringify(part, null, 2)}\n`,
  }));
}

function protocolOf(baseUrl: string): string | null {
  return URL.canParse(baseUrl) ? new URL(baseUrl).protocol : null;
}

/** The parameters of a problem that cannot come from a case: codes and numbers. */
const loggedParams: Readonly<Record<string, RegExp>> = {
  status: /^[A-Za-z0-9]{1,20}$/,
  title: /^[a-z_]{1,40}$/,
  operation: /^[A-Za-z0-9]{1,20}$/,
  rule: /^[a-z_-]{1,40}$/,
  retryAfterS: /^\d{1,9}$/,
  offsetMinutes: /^-?\d{1,9}$/,
  bits: /^\d{1,6}$/,
};

/** The id was created by the desk or by the partner's server, and was never typed. */
const correlationId = /^[0-9a-f-]{36}$/i;

/** Replaces ids by aliases. An alias is the same within a bundle and means nothing outside it. */
function createRedactor() {
  const salt = randomBytes(32);
  const alias = (id: string) => createHmac('sha256', salt).update(id).digest('hex').slice(0, 12);
  const problemView = (problem: DeskProblem | null) =>
    problem && {
      code: problem.code,
      ...Object.fromEntries(
        Object.entries(problem.params).filter(([name, value]) =>
          loggedParams[name]?.test(String(value)),
        ),
      ),
    };
  const stepView = (step: QueueStep) => ({
    kind: step.kind,
    state: step.state,
    attempts: step.attempts,
    sizeBytes: step.sizeBytes,
    delivered: step.delivered && {
      at: step.delivered.at,
      status: step.delivered.status,
      correlationId: correlationId.test(step.delivered.correlationId)
        ? step.delivered.correlationId
        : null,
    },
  });
  return {
    alias,
    problemView,
    queueView: (item: QueueItem) => ({
      id: item.id,
      case: alias(item.caseId),
      kind: item.kind,
      state: item.state,
      attempts: item.attempts,
      createdAt: item.createdAt,
      firstAttemptAt: item.firstAttemptAt,
      nextAttemptAt: item.nextAttemptAt,
      waitingFor: item.waitingFor,
      problem: problemView(item.problem),
      steps: item.steps.map(stepView),
    }),
  };
}
