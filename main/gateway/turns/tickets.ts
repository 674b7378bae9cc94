import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import type { Bucket } from '#shared/api/routes.ts';
import type { GatewayTables } from '../tables.ts';

/*
 * The queue for one bucket of the partner. It is in the database, so that all processes share it,
 * and a client that was refused with 429 keeps its place.
 *
 * Clients take turns in rounds: a client has one place in a round. Its next place is in the round
 * after its last one, or in the current round if that is later. Within a round, the time of the
 * first attempt decides.
 */

/** How often a process confirms that its clients still wait. */
export const renewEveryMs = 3000;
/** The time after which a place counts as absent if its process does not confirm it. */
const presentMs = 10_000;
/** The time after which a place lapses that nobody took when it was due. */
const lapseMs = 2 * 60_000;
/** The weight of the latest turn in the average time of a turn. */
const latestWeight = 0.2;

export interface Place {
  readonly client: string;
  readonly round: number;
  readonly since: number;
}

interface QueueState {
  /** The round of the latest turn. */
  readonly round: number;
  /** The number of clients' turns since the gateway's latest own one. */
  readonly client_turns: number;
  /** The average time of a client's turn while clients wait. */
  readonly turn_ms: number;
  /** When a client had the latest turn, if another client waited then; otherwise 0. */
  readonly turn_at: number;
}

/** The queue of one bucket, as every process sees it. */
export class Tickets {
  readonly process = randomUUID();
  readonly #db: Kysely<GatewayTables>;
  readonly #bucket: Bucket;
  readonly #clock: Clock;
  readonly #usualMs: number;

  /** @param usualMs the assumed time of a turn until one was measured */
  constructor(db: Kysely<GatewayTables>, bucket: Bucket, clock: Clock, usualMs: number) {
    this.#db = db;
    this.#bucket = bucket;
    this.#clock = clock;
    this.#usualMs = usualMs;
  }

  #open() {
    const nowMs = this.#clock.now();
    return this.#db
      .selectFrom('turn_tickets')
      .where('bucket', '=', this.#bucket)
      .where('is_open', '=', 1)
      .where((where) =>
        where.or([where('present_until', '>=', nowMs), where('due_at', '>=', nowMs - lapseMs)]),
      );
  }

  async state(): Promise<QueueState> {
    const found = await this.#db
      .selectFrom('turn_queues')
      .selectAll()
      .where('bucket', '=', this.#bucket)
      .executeTakeFirst();
    return found ?? { round: 0, client_turns: 0, turn_ms: this.#usualMs, turn_at: 0 };
  }

  async #saveState(next: QueueState): Promise<void> {
    await this.#db
      .insertInto('turn_queues')
      .values({ bucket: this.#bucket, ...next })
      .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ ...next }))
      .execute();
  }

  /** Deletes places that lapsed, and served ones that do not affect a next place any more. */
  async #purge(round: number): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#db
      .deleteFrom('turn_tickets')
      .where('bucket', '=', this.#bucket)
      .where((where) =>
        where.or([
          where.and([where('is_open', '=', 0), where('round', '<', round)]),
          where.and([where('present_until', '<', nowMs), where('due_at', '<', nowMs - lapseMs)]),
        ]),
      )
      .execute();
  }

  /** Takes a place, or returns the one that the client already has, and marks it as present. */
  async join(client: string): Promise<Place> {
    const nowMs = this.#clock.now();
    const { rows } = await sql<{ round: number; since: number }>`
      insert into turn_tickets as own
        (bucket, client_id, round, since, due_at, process, present_until, is_open)
      values (${this.#bucket}, ${client},
        coalesce((select round from turn_queues where bucket = ${this.#bucket}), 0),
        ${nowMs}, ${nowMs}, ${this.process}, ${nowMs + presentMs}, 1)
      on conflict (bucket, client_id) do update set
        round = case
          when own.is_open = 1 and (own.present_until >= ${nowMs} or own.due_at >= ${nowMs - lapseMs})
            then own.round
          when excluded.round > own.round then excluded.round
          else own.round + (1 - own.is_open) end,
        since = case
          when own.is_open = 1 and (own.present_until >= ${nowMs} or own.due_at >= ${nowMs - lapseMs})
            then own.since
          else excluded.since end,
        process = excluded.process, present_until = excluded.present_until, is_open = 1
      returning round, since`.execute(this.#db);
    const [row] = rows;
    if (!row) throw new Error('the place was not stored');
    return { client, round: row.round, since: row.since };
  }

  /** The number of places before this one, and of all places. */
  async rank({ client, round, since }: Place): Promise<{ before: number; all: number }> {
    const isBefore = sql<number>`case when round < ${round} or (round = ${round}
      and (since < ${since} or (since = ${since} and client_id < ${client}))) then 1 else 0 end`;
    const { before, all } = await this.#open()
      .select([(select) => select.fn.sum<number | null>(isBefore).as('before')])
      .select((select) => select.fn.countAll<number>().as('all'))
      .executeTakeFirstOrThrow();
    return { before: before ?? 0, all };
  }

  /** The first place whose client waits at a process. */
  first() {
    return this.#db
      .selectFrom('turn_tickets')
      .select(['client_id as client', 'process', 'round'])
      .where('bucket', '=', this.#bucket)
      .where('is_open', '=', 1)
      .where('present_until', '>=', this.#clock.now())
      .orderBy('round')
      .orderBy('since')
      .orderBy('client_id')
      .limit(1)
      .executeTakeFirst();
  }

  /**
   * Records a turn of a client.
   * @param waitsOn whether another request of the client waits
   * @param isPaced whether the turn had to wait for the bucket, so that its time counts
   */
  async served(client: string, waitsOn: boolean, isPaced: boolean): Promise<void> {
    const nowMs = this.#clock.now();
    const before = await this.state();
    const row = await this.#db
      .selectFrom('turn_tickets')
      .select('round')
      .where('bucket', '=', this.#bucket)
      .where('client_id', '=', client)
      .executeTakeFirst();
    const round = Math.max(before.round, row?.round ?? 0);
    await this.#db
      .updateTable('turn_tickets')
      .set(waitsOn ? { round: round + 1, since: nowMs } : { is_open: 0, present_until: 0 })
      .where('bucket', '=', this.#bucket)
      .where('client_id', '=', client)
      .execute();
    const isBusy = (await this.first()) !== undefined;
    const tookMs = Math.min(Math.max(nowMs - before.turn_at, this.#usualMs / 2), this.#usualMs * 5);
    const change = isPaced && before.turn_at > 0 ? tookMs - before.turn_ms : 0;
    await this.#saveState({
      round,
      client_turns: before.client_turns + 1,
      turn_ms: before.turn_ms + change * latestWeight,
      turn_at: isBusy ? nowMs : 0,
    });
    await this.#purge(round);
  }

  /** Records a turn of the gateway itself. */
  async servedGuest(): Promise<void> {
    await this.#saveState({ ...(await this.state()), client_turns: 0 });
  }

  /** Marks a place as absent. It lapses if nobody takes it in time. */
  async leave(client: string, dueAt: number): Promise<void> {
    await this.#db
      .updateTable('turn_tickets')
      .set({ present_until: 0, due_at: Math.ceil(dueAt) })
      .where('bucket', '=', this.#bucket)
      .where('client_id', '=', client)
      .where('process', '=', this.process)
      .execute();
  }
}
