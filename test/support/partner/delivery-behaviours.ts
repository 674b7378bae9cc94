import type { OperationId } from '#shared/api/routes.ts';
import type { FakePartner } from './fake-partner.ts';
import { problem, redirect, type Handler } from './hostile-server.ts';

const page =
  (status: number): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html>Request blocked');
  };

let nonces = 0;
const nonceLoop: Handler = (...args) =>
  problem(401, 'use_dpop_nonce', { 'dpop-nonce': `nonce-${++nonces}` })(...args);

const moved: Handler = (response) => {
  response.writeHead(308, { location: '/elsewhere' }).end();
};

/** The answers to requests about one case. Every other request succeeds. */
const sickCases = {
  'case that is refused with 401': problem(401, 'unauthorized'),
  'case that is redirected': redirect('/elsewhere'),
  'case that is moved': moved,
  'case that wants another nonce each time': nonceLoop,
  'case in the place of which a firewall answers': page(403),
  'case that a front server does not know': page(404),
} as const;

/** The answers to the requests of one operation. */
const sickOperations = {
  'comments that are refused with 401': ['X3', problem(401, 'unauthorized')],
  'uploads in the place of which a firewall answers': ['X13', page(200)],
  'reports that cannot be listed': ['X10', problem(500, 'internal_error')],
} as const satisfies Record<string, readonly [OperationId, Handler]>;

/** These problems are temporary. */
const passing = {
  'too early': problem(425, 'Too Early'),
  'request timeout': problem(408, 'Request Timeout'),
  'record that a node does not know yet': problem(404, 'not_found'),
} as const;

interface Done {
  readonly partner: FakePartner;
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, string>>;
}

/** Effects in which the partner does something else than it answers. */
const effects = {
  'comment that is cut short': ({ partner, operation, params: { caseId = '' } }) => {
    const comment = partner.cases.get(caseId)?.expertComment ?? '';
    if (operation === 'X3') partner.change(caseId, { expertComment: comment.slice(0, -1) });
  },
  'amount that is rounded': ({ partner, operation, params: { caseId = '' } }) => {
    if (operation === 'X4') partner.change(caseId, { costEstimateRappen: 0 });
  },
  'submission without effect': ({ partner, operation, params: { submissionId } }) => {
    const submission = partner.submissions.find(({ id }) => id === submissionId);
    if (operation !== 'X15' || submission?.status !== 'Submitted') return;
    submission.status = 'Draft';
    const at = partner.effects.findLastIndex(({ detail }) => detail === submission.comment);
    partner.effects.splice(at, 1);
  },
  'upload that is not stored': ({ partner, operation, params: { submissionId } }) => {
    if (operation === 'X13')
      partner.submissions.find(({ id }) => id === submissionId)?.documents.pop();
  },
  'document that somebody deletes': ({ partner, operation, params: { submissionId } }) => {
    const documents = partner.submissions.find(({ id }) => id === submissionId)?.documents;
    if (operation === 'X13' && documents && documents.length > 1) documents.shift();
  },
  'draft that somebody deletes': ({ partner, operation, params: { submissionId } }) => {
    const at = partner.submissions.findIndex(({ id }) => id === submissionId);
    if (operation === 'X13' && at >= 0) partner.submissions.splice(at, 1);
  },
} satisfies Record<string, (done: Done) => void>;

type SickCase = keyof typeof sickCases;
type SickOperation = keyof typeof sickOperations;
type Passing = keyof typeof passing;
type EffectName = keyof typeof effects;
export type DeliveryBehaviour = SickCase | SickOperation | Passing | EffectName;

// The casts are needed because Object.keys returns plain strings.
const sickCaseNames = Object.keys(sickCases) as SickCase[];
const sickOperationNames = Object.keys(sickOperations) as SickOperation[];
const passingNames = Object.keys(passing) as Passing[];
const effectNames = Object.keys(effects) as EffectName[];

export const deliveryBehaviours: readonly DeliveryBehaviour[] = [
  ...sickCaseNames,
  ...sickOperationNames,
  ...passingNames,
  ...effectNames,
];

/** Returns the answer that replaces the execution of a request. The first case is the sick one. */
export function deliveryRefusal(
  active: readonly string[],
  { operation, params, partner }: Done,
): Handler | null {
  const [firstCase] = partner.cases.keys();
  const sickCase = sickCaseNames.find((name) => active.includes(name));
  if (sickCase && params['caseId'] === firstCase) return sickCases[sickCase];
  for (const name of sickOperationNames) {
    const [sick, answer] = sickOperations[name];
    if (active.includes(name) && operation === sick) return answer;
  }
  const name = passingNames.find((each) => active.includes(each));
  return name && operation !== 'X1' ? passing[name] : null;
}

/** Applies the effects that differ from the partner's answer. */
export function applyEffects(active: readonly string[], done: Done): void {
  for (const name of effectNames) if (active.includes(name)) effects[name](done);
}
