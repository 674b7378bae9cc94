import { noLedger } from '#shared/desk/delivery/ledger-counts.ts';
import type { MessagePortMain } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EngineHost, startEngineHost } from '#main/electron/engine-host.ts';
import type { Answer, Asked } from '#main/electron/engine-messages.ts';
import { stand } from './electron-stand-in.ts';
import { MessageChannelMainStandIn } from './ports-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);

const open = {
  type: 'open',
  home: '/h',
  languages: { argument: undefined, system: ['de-CH'] },
  passphraseVault: false,
  passphrase: null,
} as const;

describe('the engine’s process', () => {
  let host: EngineHost;
  const on = {
    onOpened: vi.fn(),
    onBlocked: vi.fn(),
    onRestarted: vi.fn(),
    onStatus: vi.fn(),
    onError: vi.fn(),
    onLanguage: vi.fn(),
    onDied: vi.fn(),
    onAsked: vi.fn((asked: Asked) =>
      Promise.resolve<Answer>(asked.about === 'hand-over' ? true : '/h/backup.desk'),
    ),
    onFailed: vi.fn(),
    onEnded: vi.fn(),
  };
  const last = () => stand.engine();
  const die = () => last().exit(1);
  const heard = () => last().heard.map(({ data }) => data.type);
  const messages = () => last().heard.map(({ data }) => data);
  // What the stand-in lacks of the type is not used.
  const port = () => new MessageChannelMainStandIn().port1 as unknown as MessagePortMain;

  beforeEach(() => {
    vi.clearAllMocks();
    stand.startReady();
    vi.useFakeTimers({ toFake: ['performance'] });
    host = startEngineHost({ program: 'engine-process.js', open, ...on });
  });
  afterEach(() => void vi.useRealTimers());

  it('is told to open, and keeps what comes before it is', () => {
    host.tell({ type: 'window', window: 1 }, port());
    expect(heard()).toEqual(['open']);
    last().say({ type: 'opened', hasKeychain: true, language: 'en' });
    expect(heard()).toEqual(['open', 'window']);
    expect(last().heard.map(({ ports }) => ports.length)).toEqual([0, 1]);
    expect(on.onOpened).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('that dies is started again, and what came meanwhile reaches the new one', () => {
    last().say({ type: 'opened', hasKeychain: true, language: 'en' });
    die();
    host.tell({ type: 'file' }, port());
    expect(stand.engines).toHaveLength(2);
    expect(heard()).toEqual(['open']);
    expect(on.onRestarted).not.toHaveBeenCalled();
    last().say({ type: 'opened', hasKeychain: true, language: 'en' });
    expect(heard()).toEqual(['open', 'file']);
    expect(on.onRestarted).toHaveBeenCalledExactlyOnceWith('died');
    expect(on.onOpened).toHaveBeenCalledOnce();
  });

  it('that dies now and then is started each time', () => {
    for (let death = 0; death < 10; death += 1) {
      vi.advanceTimersByTime(30_000);
      die();
    }
    expect(stand.engines).toHaveLength(11);
    expect(on.onEnded).not.toHaveBeenCalled();
  });

  it('that lost its way to the network closes, and is started again without a death', () => {
    last().say({ type: 'opened', hasKeychain: true, language: 'en' });
    for (let time = 0; time < 5; time += 1) {
      last().say({ type: 'network-lost' });
      expect(heard().at(-1)).toBe('close');
      host.tell({ type: 'window', window: 1 }, port());
      last().exit(0);
      expect(heard()).toEqual(['open']);
      last().say({ type: 'opened', hasKeychain: true, language: 'en' });
      expect(heard()).toEqual(['open', 'window']);
    }
    expect(stand.engines).toHaveLength(6);
    expect(on.onRestarted.mock.calls).toEqual(Array(5).fill(['network-lost']));
    expect(on.onEnded).not.toHaveBeenCalled();
  });

  it('that lost its way to the network and does not close in time is killed', () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    last().say({ type: 'opened', hasKeychain: true, language: 'en' });
    last().say({ type: 'network-lost' });
    vi.advanceTimersByTime(4_500);
    expect(stand.engines).toHaveLength(2);
    // Another one that dies while it starts is a death again.
    for (let death = 0; death < 4; death += 1) die();
    expect(on.onEnded).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('that is closing is not started again for the network', () => {
    last().say({ type: 'opened', hasKeychain: true, language: 'en' });
    last().say({ type: 'network-lost' });
    last().say({ type: 'network-lost' });
    host.close();
    expect(heard()).toEqual(['open', 'close', 'close']);
    last().exit(0);
    expect(on.onEnded).toHaveBeenCalledExactlyOnceWith(true);
    expect(stand.engines).toHaveLength(1);
  });

  it('that cannot open is not started again', () => {
    const problem = { code: 'home_in_use', params: { pid: 1 } } as const;
    last().say({ type: 'failed', problem });
    die();
    expect(on.onFailed).toHaveBeenCalledExactlyOnceWith(problem);
    expect(stand.engines).toHaveLength(1);
  });

  it('that waits for the keychain is replaced when the user asks or the keychain opens', () => {
    const problem = { code: 'keychain_locked', params: {} } as const;
    for (let turn = 0; turn < 10; turn += 1) {
      last().say({ type: 'blocked', problem });
      if (turn % 2 === 0) host.retry();
      else last().say({ type: 'unlocked' });
    }
    expect(on.onBlocked).toHaveBeenCalledTimes(10);
    expect(stand.engines).toHaveLength(11);
    expect(heard()).toEqual(['open']);
    last().say({ type: 'opened', hasKeychain: true, language: 'en' });
    host.retry();
    expect(on.onOpened).toHaveBeenCalledOnce();
    expect(stand.engines).toHaveLength(11);
    expect([on.onDied.mock.calls, on.onEnded.mock.calls]).toEqual([[], []]);
  });

  it('tells how the queue stands', () => {
    const status = {
      unfinished: { ...noLedger(), waiting: 2, attention: 1 },
      network: 'online',
      paused: false,
      goesOut: 2,
      awaits: 0,
      kept: true,
      clock: null,
    } as const;
    last().say({ type: 'status', status });
    expect(on.onStatus).toHaveBeenCalledExactlyOnceWith(status);
  });

  it('may meet a fatal error, which is told and not thrown', () => {
    last().fail('FatalError');
    expect(on.onError).toHaveBeenCalledExactlyOnceWith('FatalError');
  });

  it('is told by its number what came of a question, and nothing if nobody could answer', async () => {
    last().say({ type: 'opened', hasKeychain: true, language: 'en' });
    const file = { about: 'hand-over', path: '/h/x.pdf', to: 'program' } as const;
    const path = {
      about: 'choose-path',
      question: { purpose: 'backup', suggested: '/h/b.desk' },
    } as const;
    const asked = [file, path, path].map((question, index) => ({
      type: 'ask' as const,
      id: index + 1,
      window: 7,
      ...question,
    }));
    asked.slice(0, 2).forEach((question) => last().say(question));
    await vi.waitFor(() => expect(messages()).toHaveLength(3));
    on.onAsked.mockRejectedValueOnce(new Error('no desktop'));
    asked.slice(2).forEach((question) => last().say(question));
    await vi.waitFor(() => expect(messages()).toHaveLength(4));
    expect(on.onAsked.mock.calls).toEqual(asked.map((question) => [question]));
    expect(messages().slice(1)).toEqual([
      { type: 'answer', id: 1, answer: true },
      { type: 'answer', id: 2, answer: '/h/backup.desk' },
      { type: 'answer', id: 3, answer: null },
    ]);
  });
});
