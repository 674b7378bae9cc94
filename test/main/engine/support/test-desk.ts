import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { type BlobStore, openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import { openCache, type Cache } from '#main/engine/cache/open-cache.ts';
import type { WorkspaceRecord } from '#main/engine/home/settings.ts';
import { Sync } from '#main/engine/sync/sync.ts';
import { openWork, type Work } from '#main/engine/work/open-work.ts';
import { amountsOf } from '#shared/desk/cases/amounts.ts';
import type { StoredAttachment } from '#main/engine/work/attachment-rows.ts';
import type { OutboxRow } from '#main/engine/work/outbox-records.ts';
import { defaultDocumentRule, type DocumentRule } from '#shared/desk/setup/storage.ts';
import type { Random } from '#shared/lib/random.ts';
import { createEagerClock, type EagerClock } from './stepped-clock.ts';
import { FakePartner } from '../../../support/partner/fake-partner.ts';
import type { Fault } from '../../../support/partner/faulty-line.ts';
import { createSeededRandom } from './seeded-random.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { faultLog } from '../../../support/fault-log.ts';

const keyHex = 'ab'.repeat(32);

/** Returns a connection as a home stores it, with the given changes. */
export const workspaceRecord = (part: Partial<WorkspaceRecord> = {}): WorkspaceRecord => ({
  id: '12345678-abcd',
  kind: 'connection',
  name: 'Office',
  baseUrl: 'http://127.0.0.1',
  audience: 'a',
  clientId: 'c',
  scope: null,
  htuWithoutQuery: false,
  changedSinceParameter: null,
  ...part,
});

/**
 * The engine's stores and sync with the fake partner. It can crash and restart on the same files.
 */
export class TestDesk {
  readonly dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  readonly clock: EagerClock;
  readonly random: Random;
  readonly partner: FakePartner;
  readonly events: DeskEvent[] = [];
  /** The rows as an open window has them: as they were when it last heard of them. */
  readonly shown = new Map<number, OutboxRow>();
  rule: DocumentRule = defaultDocumentRule;
  cache!: Cache;
  work!: Work;
  files!: BlobStore;
  sync!: Sync;

  readonly #createClient: () => PartnerClient;
  /** Receives unexpected errors. A test may set its own before `start`. */
  log: FaultLog = faultLog;
  /** Called if a page of the cache is damaged. */
  onDamage: () => void = () => undefined;
  #client!: PartnerClient;

  constructor(
    seed = 1,
    clock = createEagerClock(),
    partner = new FakePartner(clock),
    createClient = () => partner.createClient(),
  ) {
    this.clock = clock;
    this.partner = partner;
    this.#createClient = createClient;
    this.random = createSeededRandom(seed);
  }

  static async open(seed?: number): Promise<TestDesk> {
    const desk = new TestDesk(seed);
    await desk.start();
    return desk;
  }

  async start(): Promise<void> {
    const { dir, clock, random } = this;
    this.work = openWork({
      dir,
      keyHex,
      now: () => clock.now(),
      newId: () => random.uuid(),
    });
    this.shown.clear();
    for (const row of this.work.outbox.rows.list({ includeDone: true, limit: 1000 }).rows)
      this.shown.set(row.id, row);
    this.cache = openCache(join(dir, 'cache.db'), keyHex);
    this.files = await openFileBlobStore({
      dir: join(dir, 'files'),
      key: Buffer.alloc(32, 7),
      now: () => clock.now(),
    });
    this.#client = this.#createClient();
    this.sync = new Sync({
      client: this.#client,
      cache: this.cache,
      work: this.work,
      cacheFiles: this.files,
      workFiles: this.files,
      clock,
      random,
      documentRule: () => this.rule,
      emit: (event) => this.events.push(event),
      onRow: (id) => this.shown.set(id, this.work.outbox.rows.get(id)),
      log: this.log,
      onDamage: () => this.onDamage(),
    });
  }

  /** Ends the desk like SIGKILL: the stores are not closed. */
  async die(): Promise<void> {
    await this.sync.close();
    await this.#client.close();
    this.work.close();
    this.cache.close();
  }

  async restart(): Promise<void> {
    await this.die();
    await this.start();
  }

  /** Restarts with these operations in place of the partner client's own ones. */
  async restartWith(replace: (client: PartnerClient) => Partial<PartnerClient>): Promise<void> {
    const client = this.partner.createClient();
    this.partner.createClient = () => ({ ...client, ...replace(client) });
    await this.restart();
  }

  async remove(): Promise<void> {
    await this.die();
    rmSync(this.dir, { recursive: true });
  }

  async attach(draftId: string, fileName: string, content: string): Promise<StoredAttachment> {
    const writer = await this.files.createWriter();
    await writer.write(Buffer.from(content));
    const stored = await writer.finish();
    const { id } = this.work.drafts.addAttachment(draftId, {
      fileName,
      contentType: 'text/plain',
      isSalvageSale: false,
      ...stored,
    });
    return this.work.drafts.attachment(draftId, id);
  }

  /** Queues a report with these files. */
  async queueReport(
    caseId: string,
    comment: string,
    files: readonly { name: string; content: string }[],
  ): Promise<number> {
    const draft = this.work.drafts.create(caseId);
    this.work.drafts.update({ draftId: draft.id, comment });
    const attachments = [];
    for (const { name, content } of files) {
      attachments.push(await this.attach(draft.id, name, content));
    }
    const { id } = this.work.outbox.enqueue(
      { caseId, externalKey: 'K' },
      { kind: 'report', draftId: draft.id, comment },
      [
        { kind: 'draft' },
        ...attachments.map((attachment) => ({ kind: 'document' as const, attachment })),
        { kind: 'submit' },
      ],
    );
    this.work.drafts.bindToQueue(draft.id, id);
    return id;
  }

  /** Queues amounts as the window does, based on the values that it shows. */
  queueAmounts(caseId: string, costEstimateRappen: number): number {
    const { amounts: seen } = this.#seen(caseId);
    return this.work.outbox.enqueue(
      { caseId, externalKey: 'K' },
      { kind: 'amounts', costEstimateRappen, approvedRappen: null, seen },
      [{ kind: 'amounts' }],
      this.#isDelivering,
    ).id;
  }

  queueComment(caseId: string, text: string): number {
    const { comment: seen } = this.#seen(caseId);
    return this.work.outbox.enqueue(
      { caseId, externalKey: 'K' },
      { kind: 'comment', text, seen },
      [{ kind: 'comment' }],
      this.#isDelivering,
    ).id;
  }

  readonly #isDelivering = (rowId: number): boolean => this.sync.delivery.isDelivering(rowId);

  /** Returns the values that the user sees, or the partner's if the case is not fetched yet. */
  #seen(caseId: string) {
    const overlay = this.work.overlays.of([caseId]).get(caseId);
    const record = this.cache.cases.find(caseId) ?? this.partner.cases.get(caseId);
    if (!record) throw new Error(`nobody knows the case ${caseId}`);
    return {
      amounts: overlay?.amounts ?? amountsOf(record),
      comment: overlay?.comment ?? record.expertComment,
    };
  }

  /**
   * Delivers once while the network fails as planned. A desk that crashes is restarted.
   * @param duringRequest a function that runs during every request
   */
  async deliverWith(
    planned: readonly Fault[],
    duringRequest: (operation: string) => void = () => undefined,
  ): Promise<void> {
    const coming = [...planned];
    let died: Promise<void> | null = null;
    this.partner.fault = (operation) => {
      if (died === null) duringRequest(operation);
      return coming.shift() ?? 'none';
    };
    this.partner.onCrash = () => {
      died ??= this.restart();
    };
    await this.sync.delivery.deliver().catch(() => undefined);
    // The callback assigns this variable, which the compiler does not follow.
    await (died as Promise<void> | null);
    this.partner.fault = () => 'none';
  }

  /** Delivers until no act waits, like a desk that stays open. */
  async deliverAll(): Promise<void> {
    for (let run = 0; run < 20 && this.work.outbox.rows.counts().waiting > 0; run += 1) {
      this.work.outbox.deliveries.forgetDelays();
      await this.sync.delivery.deliver();
    }
  }
}
