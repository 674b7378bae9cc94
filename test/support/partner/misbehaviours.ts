import type { OperationId } from '#shared/api/routes.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { loginPage, problem, redirect, reset, type Handler } from './hostile-server.ts';
import { listBehaviours, type ListBehaviourName } from './list-behaviours.ts';
import { deliveryBehaviours, type DeliveryBehaviour } from './delivery-behaviours.ts';

/** An answer before it is sent, which a rule may change. */
export interface WireAnswer {
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown> | null;
  sent: 'whole' | 'lost' | 'cut' | 'dripping';
}

type Wire = Record<string, unknown>;
type Change = (answer: WireAnswer, operation: OperationId, clock: Clock) => void;

/** Values of the Retry-After header of a 429. */
const pauses = {
  'pause of a month': () => '2592000',
  'negative pause': () => '-5',
  'pause until a date': (clock: Clock) => new Date(clock.now() + 90_000).toUTCString(),
  'pause until the end of time': () => 'Fri, 31 Dec 9999 23:59:59 GMT',
  'pause of garbage': () => 'soon',
} as const;

/** Answers that replace the list of cases (X1). Every other request succeeds. */
const sickLists = {
  'list that is refused with 401': problem(401, 'unauthorized'),
  'list that is redirected': redirect('/elsewhere'),
  'list in the place of which a page comes': loginPage,
  'list whose connection is reset': reset,
} as const;

/** The size of one record in the list. */
export const hugeRecordBytes = 80 * 1024 * 1024;

const otherId = '00000000-0000-4000-8000-00000000beef';
const deepJson = '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000);

const itemsOf = (body: WireAnswer['body']): Wire[] | null => {
  const items = body?.['Items'];
  // The cast is safe: the fake partner builds the body, whose items are records.
  return Array.isArray(items) ? (items as Wire[]) : null;
};
/** Returns the records of a list, or the single record of any other answer. */
const recordsOf = (body: WireAnswer['body']): Wire[] => itemsOf(body) ?? (body ? [body] : []);

/** Sets these members in the answers of the operations that have them. */
const withMembers =
  (operations: readonly OperationId[], members: Wire): Change =>
  ({ body }, operation) => {
    if (!operations.includes(operation)) return;
    for (const record of recordsOf(body)) {
      for (const [name, value] of Object.entries(members)) {
        if (name in record) record[name] = value;
      }
    }
  };

const changes = {
  'time in the year 9999': ({ body }) => {
    const [record] = recordsOf(body);
    if (record?.['LastChangedAt']) record['LastChangedAt'] = '9999-12-31T23:59:59.999Z';
  },
  'answer of another claim': withMembers(['X8', 'X9', 'X13', 'X15'], { ClaimId: otherId }),
  'answer with another id': withMembers(['X2', 'X8', 'X15'], { Id: otherId }),
  'answer of another submission': withMembers(['X13'], { SubmissionId: otherId }),
  'draft that is submitted': withMembers(['X8', 'X9'], { Status: 'Submitted' }),
  'submission that is a draft': withMembers(['X15'], { Status: 'Draft' }),
  'another size': withMembers(['X13'], { SizeBytes: 7_777 }),
  'another name': withMembers(['X13'], { FileName: 'other.txt' }),
  'another mark': withMembers(['X13'], { IsSalvageSale: true }),
  'case that is visible late': ({ body }, operation, clock) => {
    const items = operation === 'X1' ? itemsOf(body) : null;
    if (!body || !items) return;
    const visible = items.filter(
      ({ LastChangedAt: at }) => Date.parse(String(at)) <= clock.now() - 3000,
    );
    body['Items'] = visible;
    body['Total'] = Number(body['Total']) - items.length + visible.length;
  },
  'Total that is too high': ({ body }) => {
    if (body && itemsOf(body)) body['Total'] = Number(body['Total']) * 3 + 7;
  },
  'Total that is too low': ({ body }, operation) => {
    if (body && operation === 'X1') body['Total'] = 0;
  },
  'answer that is lost': (answer) => {
    answer.sent = 'lost';
  },
  'answer that is cut': (answer) => {
    answer.sent = 'cut';
  },
  'answer that drips': (answer) => {
    answer.sent = 'dripping';
  },
  'list that is cut': (answer, operation) => {
    if (operation === 'X1') answer.sent = 'cut';
  },
  'Items that are null': ({ body }) => {
    if (body && itemsOf(body)?.length === 0) body['Items'] = null;
  },
  'lowered limit': ({ headers }) => {
    headers['x-ratelimit-policy'] = 'standard; token-bucket; 2/min; burst=1';
  },
  'payload nested deep': withMembers(['X1', 'X2'], { PayloadJson: deepJson }),
  'no size': ({ body }) => {
    for (const record of recordsOf(body)) delete record['SizeBytes'];
  },
  'answer in gzip': (answer) => {
    answer.headers['content-encoding'] = 'gzip';
  },
  'date of 2001': ({ headers }) => {
    headers['date'] = 'Sat, 03 Feb 2001 04:05:06 GMT';
  },
  'names that lie or are reserved': withMembers(['X6', 'X7'], { FileName: 'con\u202Etxt.pdf' }),
  // These rules come last, because the others would repair them.
  'item that is no record': ({ body }) => {
    const items = itemsOf(body);
    if (!body || !items) return;
    items.unshift({ Id: otherId, PayloadJson: 7, FileName: 7, SequenceNo: 'one' });
    body['Total'] = Number(body['Total']) + 1;
  },
  'item that is broken': ({ body }) => {
    const [first] = itemsOf(body) ?? [];
    if (first) Object.assign(first, { FileName: 7, PayloadJson: 7, Status: 7 });
  },
} satisfies Record<string, Change>;

/** These changes are too heavy for a mixture of many rounds. */
const heavyChanges = {
  'record of 80 MB in the list': ({ body }, operation) => {
    const [first] = operation === 'X1' ? (itemsOf(body) ?? []) : [];
    if (first) first['PayloadJson'] = 'x'.repeat(hugeRecordBytes);
  },
} satisfies Record<string, Change>;

type Pause = keyof typeof pauses;
type SickList = keyof typeof sickLists;
type Changed = keyof typeof changes;
type HeavyChange = keyof typeof heavyChanges;
export type Misbehaviour =
  | Pause
  | SickList
  | Changed
  | HeavyChange
  | ListBehaviourName
  | DeliveryBehaviour
  | 'token that is no header'
  | 'keys ignored';

// The casts are needed because Object.keys returns plain strings.
const pauseNames = Object.keys(pauses) as Pause[];
const sickListNames = Object.keys(sickLists) as SickList[];
const changeNames = Object.keys(changes) as Changed[];
const heavyChangeNames = Object.keys(heavyChanges) as HeavyChange[];

/** All misbehaviours that a mixture may have. */
export const misbehaviours: readonly Misbehaviour[] = [
  ...pauseNames,
  ...sickListNames,
  ...changeNames,
  ...listBehaviours,
  ...deliveryBehaviours,
  'token that is no header',
  'keys ignored',
];

export const misbehave = {
  /** Returns the answer that replaces the execution of the request, or null. */
  before(active: readonly Misbehaviour[], operation: OperationId, clock: Clock): Handler | null {
    const pause = pauseNames.find((name) => active.includes(name));
    if (pause) return problem(429, 'rate_limited', { 'retry-after': pauses[pause](clock) });
    const sickList = sickListNames.find((name) => active.includes(name));
    return sickList && operation === 'X1' ? sickLists[sickList] : null;
  },
  /** Returns the active faults of the list of cases. */
  inList: (active: readonly Misbehaviour[]): ReadonlySet<ListBehaviourName> =>
    new Set(listBehaviours.filter((name) => active.includes(name))),
  /** Changes the answer of a request that was executed. */
  after(
    active: readonly Misbehaviour[],
    operation: OperationId,
    answer: WireAnswer,
    clock: Clock,
  ): void {
    for (const name of changeNames) {
      if (active.includes(name)) changes[name](answer, operation, clock);
    }
    for (const name of heavyChangeNames) {
      if (active.includes(name)) heavyChanges[name](answer, operation);
    }
  },
};
