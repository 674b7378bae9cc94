import { createHash } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { logFault } from '#main/log/faults.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { TelephoneNetwork, TelephoneState } from '#shared/desk/reports/telephone.ts';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import { usualGroups } from '#shared/photos/details.ts';
import { telephoneLimits } from '#shared/telephone/limits.ts';
import type { Begun } from '#shared/telephone/messages.ts';
import { findCase } from '../cases/case-view.ts';
import type { EngineOptions } from '../engine.ts';
import type { DeskSettings } from '../home/settings.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { draftPictures } from './draft-pictures.ts';
import { type Listener, listenForTelephone } from './listener.ts';
import { telephoneNetworks } from './networks.ts';
import { telephonePage } from './page.ts';
import { type SessionAnswer, TelephoneSession } from './session.ts';

/** What of the desk the telephone needs. */
interface TelephoneParts {
  readonly options: Pick<EngineOptions, 'random' | 'clock' | 'log' | 'telephonePage'>;
  readonly settings: Pick<
    DeskSettings,
    'telephone' | 'telephonePlace' | 'setTelephonePlace' | 'language'
  >;
  readonly current: {
    readonly open: { readonly workspace: OpenWorkspace } | null;
    readonly workspace: OpenWorkspace;
  };
  readonly emit: (event: DeskEvent) => void;
}

interface Running {
  readonly workspace: OpenWorkspace;
  readonly draftId: string;
  readonly caseId: string;
  readonly place: TelephoneNetwork;
  readonly session: TelephoneSession;
  readonly listener: Listener;
}

/**
 * The telephone as the desk's camera. There is one session at a time, and a listener only during
 * it.
 */
export class Telephone {
  readonly #parts: TelephoneParts;
  readonly #interfaces: typeof networkInterfaces;
  #running: Running | null = null;
  #cancelIdle: () => void = () => undefined;
  #cancelWatch: () => void = () => undefined;
  /** Sessions begin and end one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: TelephoneParts, interfaces = networkInterfaces) {
    this.#parts = parts;
    this.#interfaces = interfaces;
  }

  state(): TelephoneState {
    const { settings, options } = this.#parts;
    const { isOn, networks: allowed } = settings.telephone;
    const networks = isOn ? telephoneNetworks(this.#interfaces(), allowed) : [];
    const session = this.#view(networks);
    const obstacle = !isOn
      ? 'policy'
      : options.telephonePage === undefined
        ? 'program'
        : networks.length === 0
          ? 'network'
          : null;
    return { session, networks, obstacle };
  }

  #view(networks: readonly TelephoneNetwork[]): TelephoneState['session'] {
    const running = this.#running;
    if (running === null) return null;
    const { session, draftId, caseId, place, listener } = running;
    const secret = [session.key, session.id].map((part) => Buffer.from(part).toString('base64url'));
    const code = `http://${place.address}:${listener.port}/#${secret.join('.')}`;
    const isReachable = networks.some(({ address }) => address === place.address);
    return { draftId, caseId, ...place, isReachable, code, ...session.facts };
  }

  /**
   * Begins a session for a draft. An earlier one ends.
   * @throws {DeskError} draft_not_found, queue_row_state, telephone_unavailable
   */
  begin(draftId: string, address: string | null): Promise<TelephoneState> {
    return this.#inTurn(async () => {
      await this.#stop();
      const { networks, obstacle } = this.state();
      const known = address ?? this.#parts.settings.telephonePlace?.address;
      const place =
        networks.find((network) => network.address === known) ??
        (address === null ? networks[0] : undefined);
      if (obstacle !== null || !place) throw new DeskError('telephone_unavailable');
      await this.#start(this.#parts.current.workspace, draftId, place);
      this.#parts.emit({ type: 'telephone.changed' });
      return this.state();
    });
  }

  async #start(workspace: OpenWorkspace, draftId: string, place: TelephoneNetwork): Promise<void> {
    const { options, settings } = this.#parts;
    const { caseId } = workspace.work.drafts.editable(draftId);
    const { record } = findCase(workspace, caseId);
    const texts = await loadWindowTexts[settings.language]();
    const begun: Begun = {
      claim: record.externalKey,
      report: reportToken(draftId),
      groups: usualGroups(record.category).map((id) => ({ id, name: texts.photos.groups[id] })),
    };
    const page = await telephonePage(
      options.telephonePage ?? '',
      settings.language,
      texts.telephone.page,
    );
    const session = new TelephoneSession(options.random, {
      pictures: draftPictures(workspace, draftId),
      begun,
      onChange: () => this.#parts.emit({ type: 'telephone.changed' }),
    });
    const served = {
      page,
      hello: (bytes: Uint8Array) => session.hello(bytes),
      begin: (bytes: Uint8Array) => this.#seen(session, session.begin(bytes)),
      send: async (bytes: Uint8Array) => this.#seen(session, await session.send(bytes)),
      onError: logFault('telephone', options.log),
    };
    const listener = await this.#listen(place.address, served);
    try {
      settings.setTelephonePlace({ address: place.address, port: listener.port });
    } catch (error) {
      await listener.close();
      throw error;
    }
    this.#running = { workspace, draftId, caseId, place, session, listener };
    this.#endAfter(telephoneLimits.idleMs);
    this.#watch(true);
  }

  /** A laptop can lose its address at any moment, and the system does not report it. */
  #watch(wasReachable: boolean): void {
    this.#cancelWatch = this.#parts.options.clock.after(telephoneLimits.lookMs, () => {
      const isReachable = this.state().session?.isReachable ?? false;
      if (isReachable !== wasReachable) this.#parts.emit({ type: 'telephone.changed' });
      this.#watch(isReachable);
    });
  }

  /** The same port as last time, because the telephone's page has its pictures by the address. */
  async #listen(
    address: string,
    served: Parameters<typeof listenForTelephone>[1],
  ): Promise<Listener> {
    const port = this.#parts.settings.telephonePlace?.port ?? 0;
    try {
      return await listenForTelephone({ address, port }, served);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'EADDRNOTAVAIL')
        throw new DeskError('telephone_unavailable', {}, { cause: error });
      if (port === 0) throw error;
      // Another program has the port now, or the system does not give it any more.
      return await listenForTelephone({ address, port: 0 }, served);
    }
  }

  /** An accepted request: the telephone is awake. */
  #seen(session: TelephoneSession, answer: SessionAnswer): SessionAnswer {
    const isLive = this.#running?.session === session;
    if (isLive && typeof answer !== 'string') this.#endAfter(telephoneLimits.asleepMs);
    return answer;
  }

  #endAfter(ms: number): void {
    this.#cancelIdle();
    this.#cancelIdle = this.#parts.options.clock.after(ms, () => {
      void this.end().catch(logFault('telephone', this.#parts.options.log));
    });
  }

  /** Ends the session and its listener. */
  end(): Promise<TelephoneState> {
    return this.#inTurn(async () => {
      await this.#stop();
      return this.state();
    });
  }

  /** Ends a session whose workspace is no longer open. */
  workspaceChanged(): Promise<void> {
    // One that is beginning is looked at when it has begun.
    return this.#inTurn(async () => {
      const workspace = this.#running?.workspace;
      if (workspace !== this.#parts.current.open?.workspace) await this.#stop();
    });
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    this.#cancelIdle();
    this.#cancelWatch();
    await running.session.end();
    await running.listener.close();
    this.#parts.emit({ type: 'telephone.changed' });
  }

  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(task);
    // The caller of the task receives its failure.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

const reportToken = (draftId: string) =>
  createHash('sha256').update(`telephone ${draftId}`).digest('hex').slice(0, 32);
