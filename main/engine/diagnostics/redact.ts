import { createHmac, randomBytes } from 'node:crypto';
import type { DeskProblem } from '#shared/desk/errors.ts';
import type { QueueItem, QueueStep } from '#shared/desk/queue.ts';

/** Of a problem only what cannot come from a case: codes and numbers. */
const keptParams: Readonly<Record<string, RegExp>> = {
  status: /^[A-Za-z0-9]{1,20}$/,
  title: /^[a-z_]{1,40}$/,
  operation: /^[A-Za-z0-9]{1,20}$/,
  rule: /^[a-z_-]{1,40}$/,
  retryAfterS: /^\d{1,9}$/,
  offsetMinutes: /^-?\d{1,9}$/,
  bits: /^\d{1,6}$/,
};

/** Made by the desk or by the partner's server, never by a person. */
const correlationId = /^[0-9a-f-]{36}$/i;

/**
 * What leaves the laptop about one of its things: the same id is the same word within a bundle, and
 * means nothing outside of it.
 */
export function createRedactor() {
  const salt = randomBytes(32);
  const alias = (id: string) => createHmac('sha256', salt).update(id).digest('hex').slice(0, 12);
  const problemView = (problem: DeskProblem | null) =>
    problem && {
      code: problem.code,
      ...Object.fromEntries(
        Object.entries(problem.params).filter(([name, value]) =>
          keptParams[name]?.test(String(value)),
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
