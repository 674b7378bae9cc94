import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { test } from 'vitest';
import { createPartnerClient } from '#main/partner/partner-client.ts';
import { createCode, redeemCode } from '#main/gateway/auth/clients.ts';
import { runGateway, type RunningGateway } from '#main/gateway/run-gateway.ts';
import { smokeOrLong } from '../../support/long.ts';
import { createSkippingClock, type SkippingClock } from '../../support/skipping-clock.ts';
import {
  assertExactlyOnce,
  type Expected,
  assertAllHere,
  queueAct,
} from '../engine/support/exactly-once.ts';
import { bigFileBytes, FakePartner } from '../../support/partner/fake-partner.ts';
import type { Fault } from '../../support/partner/faulty-line.ts';
import { startHttpPartner } from '../../support/partner/http-partner.ts';
import { misbehaviours, type Misbehaviour } from '../../support/partner/misbehaviours.ts';
import { createTestMemory, dpopKeys, rsaKeys } from '../engine/support/test-client.ts';
import { TestDesk } from '../engine/support/test-desk.ts';
import { createMemoryLog } from '../service/support/memory-log.ts';
import { startLine, type Line, type LineFault } from './support/line.ts';

/** In addition to the faults of the two lines, the desk, the gateway or the partner dies. */
type DeskLineFault = LineFault | 'desk-dies';
type PartnerLineFault = Extract<Fault, 'none' | 'drop-before' | 'drop-after' | 'late' | 'busy'>;
type GatewayFault =
  | PartnerLineFault
  | 'partner-dies'
  | 'gateway-dies-before'
  | 'gateway-dies-after';

type Step =
  | { readonly do: 'amounts' | 'comment' | 'document'; readonly case: number }
  | { readonly do: 'report'; readonly case: number; readonly sizes: readonly number[] }
  | {
      readonly do: 'round';
      readonly desk: readonly DeskLineFault[];
      readonly gateway: readonly GatewayFault[];
      readonly misbehaviours: readonly Misbehaviour[];
    }
  | { readonly do: 'wait'; readonly hours: number };

const none = 'none' as const;
const caseIndex = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('amounts' as const, 'comment' as const, 'document' as const),
    case: caseIndex,
  }),
  fc.record({
    do: fc.constant('report' as const),
    case: caseIndex,
    sizes: fc.array(fc.constantFrom(3, 3, 5, bigFileBytes + 1), { minLength: 1, maxLength: 3 }),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('round' as const),
      desk: fc.array(
        fc.constantFrom<DeskLineFault>(
          none,
          none,
          none,
          none,
          ...(['drop-before', 'drop-after', 'cut', 'late', 'desk-dies'] as const),
        ),
        { maxLength: 20 },
      ),
      gateway: fc.array(
        fc.constantFrom<GatewayFault>(
          none,
          none,
          none,
          none,
          ...(['drop-before', 'drop-after', 'late', 'busy'] as const),
          ...(['gateway-dies-before', 'gateway-dies-after', 'partner-dies'] as const),
        ),
        { maxLength: 20 },
      ),
      misbehaviours: fc.array(fc.constantFrom(...misbehaviours), { maxLength: 1 }),
    }),
  },
  fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 22, 30) }),
);

const plenty = { capacity: 100_000, refillPerMinute: 6_000_000 };
const dayMs = 24 * 3_600_000;
/** Requests that a partner that died does not take. */
const partnerRestartsFor = 8;

/** A desk that works through a gateway; all three parties are on a clock that skips the waiting. */
class Office {
  readonly folder = mkdtempSync(join(tmpdir(), 'gateway-office-'));
  readonly clock: SkippingClock = createSkippingClock(125_000);
  readonly partner = new FakePartner(this.clock);
  readonly acts: Expected[] = [];
  desk!: TestDesk;
  http!: Awaited<ReturnType<typeof startHttpPartner>>;
  line!: Line;
  #gateway!: RunningGateway;
  #reviving: Promise<void> | null = null;

  async open(): Promise<void> {
    const { clock, partner } = this;
    partner.pageSizeMax = 2;
    this.http = await startHttpPartner(partner, clock);
    this.line = await startLine(clock);
    await this.#startGateway();
    const { db } = this.#gateway.context;
    const { code } = await createCode(db, clock, { name: 'Laptop', isDispatcher: false });
    const publicKeyPem = rsaKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const { clientId } = await redeemCode(db, clock, {
      code,
      publicKeyPem,
      correlationId: randomUUID(),
    });
    const memory = createTestMemory();
    const createClient = () =>
      createPartnerClient({
        baseUrl: this.line.baseUrl,
        audience: `${this.line.baseUrl}/v1/oauth/token`,
        clientId,
        privateKey: rsaKeys.privateKey,
        dpopKey: dpopKeys.privateKey,
        random: () => 0.5,
        clock,
        memory,
      });
    this.desk = new TestDesk(1, clock, partner, createClient);
    await this.desk.start();
  }

  async #startGateway(): Promise<void> {
    this.#gateway = await runGateway({
      directory: join(this.folder, 'gateway'),
      partner: {
        baseUrl: this.http.baseUrl,
        audience: `${this.http.baseUrl}/v1/oauth/token`,
        clientId: 'office',
        privateKey: rsaKeys.privateKey,
      },
      visibility: 'all',
      limits: 'off',
      partnerLimits: { standard: plenty, documents: plenty },
      clock: this.clock,
      log: createMemoryLog().log,
      listen: { host: '127.0.0.1', port: 0, publicUrl: this.line.baseUrl },
    });
    this.line.target = this.#gateway.baseUrl;
  }

  /** Nobody hears of the gateway any more, and another one opens its store. */
  #killGateway(): void {
    this.line.target = null;
    this.line.cut();
    this.#reviving ??= this.#gateway
      .stop(0)
      .then(() => this.#startGateway())
      .finally(() => (this.#reviving = null));
  }

  /** A round of the desk while both lines fail as planned. */
  async round({ desk, gateway, misbehaviours: wrong }: Extract<Step, { do: 'round' }>) {
    const { partner, http, line } = this;
    const [ofDesk, ofGateway] = [[...desk], [...gateway]];
    let dying: Promise<void> | null = null;
    line.fault = () => {
      const fault = ofDesk.shift() ?? 'none';
      if (fault !== 'desk-dies') return fault;
      dying ??= this.desk.restart();
      return 'drop-after';
    };
    let restarting = 0;
    partner.fault = () => {
      if (restarting > 0) {
        restarting -= 1;
        return 'drop-before';
      }
      const fault = ofGateway.shift() ?? 'none';
      if (fault === 'partner-dies') {
        restarting = partnerRestartsFor;
        return 'drop-after';
      }
      if (fault !== 'gateway-dies-before' && fault !== 'gateway-dies-after') return fault;
      this.#killGateway();
      return fault === 'gateway-dies-before' ? 'drop-before' : 'drop-after';
    };
    Object.assign(http, { misbehaviours: wrong, every: 2, times: 5 });
    await this.desk.sync.run({ documents: 'all' }).catch(() => undefined);
    // Assigned in the callback, which the compiler does not follow.
    await (dying as Promise<void> | null);
    line.fault = () => 'none';
    partner.fault = () => 'none';
    http.misbehaviours = [];
    await this.#reviving;
  }

  async close(): Promise<void> {
    await this.desk.remove();
    await this.#gateway.stop(0);
    await this.line.stop();
    await this.http.stop();
    this.clock.stop();
    rmSync(this.folder, { recursive: true });
  }
}

async function take(step: Exclude<Step, { do: 'round' }>, office: Office, caseIds: string[]) {
  const { desk, partner, acts, clock } = office;
  const caseId = 'case' in step ? (caseIds[step.case] ?? '') : '';
  switch (step.do) {
    case 'amounts':
    case 'comment':
      await queueAct(desk, acts, { do: step.do, caseId });
      return;
    case 'report': {
      // Equal sizes make equal files.
      const files = step.sizes.map((size) => ({ name: `f${size}.txt`, content: 'x'.repeat(size) }));
      await queueAct(desk, acts, { do: 'report', caseId, files });
      return;
    }
    case 'document':
      partner.addDocument(caseId, 'invoice.txt', randomUUID());
      return;
    case 'wait':
      clock.skip(step.hours * 3_600_000);
  }
}

async function play(steps: readonly Step[], ignoresKeys: boolean): Promise<void> {
  const office = new Office();
  const caseIds = [office.partner.addCase().id, office.partner.addCase().id];
  await office.open();
  office.partner.ignoresKeys = ignoresKeys;
  try {
    for (const one of steps) {
      if (one.do === 'round') await office.round(one);
      else await take(one, office, caseIds);
    }
    // The user tries again every row with a question; pauses and keys expire.
    const { desk } = office;
    for (let day = 0; day < 4; day += 1) {
      office.clock.skip(dayMs + 1);
      const { rows } = desk.work.outbox.rows.list({ includeDone: false, limit: 1000 });
      for (const { id, state } of rows) if (state === 'attention') desk.work.outbox.retry(id);
      await desk.sync.run({ documents: 'all' }).catch(() => undefined);
    }
    assertExactlyOnce(desk, office.acts);
    await assertAllHere(desk, { isThroughGateway: true });
  } finally {
    await office.close();
  }
}

/** A former fault: the gateway stored an item that is not a record and counted the list as read. */
const examples: [Step[], boolean][] = [
  [
    [
      { do: 'amounts', case: 0 },
      { do: 'round', desk: [], gateway: [], misbehaviours: ['item that is no record'] },
    ],
    false,
  ],
];

test('gateway: every act has its effect exactly once, whatever both lines do and whoever dies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), fc.boolean(), play),
    { numRuns: smokeOrLong(3, 300), examples },
  );
}, 2_400_000);
