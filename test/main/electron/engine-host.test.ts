import type { MessagePortMain } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type EngineHost, startEngineHost } from '#main/electron/engine-host.ts';
import type { ChoosePath, HandOver } from '#main/electron/engine-messages.ts';
import { electron, stand } from './electron-stand-in.ts';
import { MessageChannelMainStandIn } from './ports-stand-in.ts';

const open = {
  type: 'open',
  home: '/h',
  language: null,
  passphraseVault: false,
  passphrase: null,
} as const;

describe('the engine’s process', () => {
  let now: number;
  let host: EngineHost;
  const on = {
    onOpened: vi.fn(),
    onRestarted: vi.fn(),
    onStatus: vi.fn(),
    onError: vi.fn(),
    onHandOver: vi.fn((_asked: HandOver) => Promise.resolve(true)),
    onChoosePath: vi.fn((_asked: ChoosePath) => Promise.resolve<string | null>('/h/backup.desk')),
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
    now = 0;
    host = startEngineHost({
      fork: () => electron.utilityProcess.fork('engine-process.js') as never,
      open,
      now: () => now,
      ...on,
    });
  });

  it('is told to open, and keeps what comes before it is', () => {
    host.tell({ type: 'window', window: 1 }, port());
    expect(heard()).toEqual(['open']);
    last().say({ type: 'opened', hasKeychain: true });
    expect(heard()).toEqual(['open', 'window']);
    expect(last().heard.map(({ ports }) => ports.length)).toEqual([0, 1]);
    expect(on.onOpened).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('that dies is started again, and what came meanwhile reaches the new one', () => {
    last().say({ type: 'opened', hasKeychain: true });
    die();
    host.tell({ type: 'file' }, port());
    expect(stand.engines).toHaveLength(2);
    expect(heard()).toEqual(['open']);
    expect(on.onRestarted).not.toHaveBeenCalled();
    last().say({ type: 'opened', hasKeychain: true });
    expect(heard()).toEqual(['open', 'file']);
    expect(on.onRestarted).toHaveBeenCalledOnce();
    expect(on.onOpened).toHaveBeenCalledOnce();
  });

  it('that dies four times in a minute is given up', () => {
    for (let death = 0; death < 4; death += 1) {
      expect(on.onEnded).not.toHaveBeenCalled();
      die();
    }
    expect(stand.engines).toHaveLength(4);
    expect(on.onEnded).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('that dies now and then is started each time', () => {
    for (let death = 0; death < 10; death += 1) {
      now += 30_000;
      die();
    }
    expect(stand.engines).toHaveLength(11);
    expect(on.onEnded).not.toHaveBeenCalled();
  });

  it('that cannot open is not started again', () => {
    const problem = { code: 'home_in_use', params: { pid: 1 } } as const;
    last().say({ type: 'failed', problem });
    die();
    expect(on.onFailed).toHaveBeenCalledExactlyOnceWith(problem);
    expect(stand.engines).toHaveLength(1);
  });

  it('that was asked to end, ends', () => {
    last().say({ type: 'opened', hasKeychain: false });
    host.close();
    expect(heard()).toEqual(['open', 'close']);
    die();
    expect(on.onEnded).toHaveBeenCalledExactlyOnceWith(true);
    expect(stand.engines).toHaveLength(1);
  });

  it('tells how the queue stands', () => {
    const status = { waiting: 2, attention: 1, network: 'online', paused: false } as const;
    last().say({ type: 'status', status });
    expect(on.onStatus).toHaveBeenCalledExactlyOnceWith(status);
  });

  it('may meet a fatal error, which is told and not thrown', () => {
    last().fail('FatalError');
    expect(on.onError).toHaveBeenCalledExactlyOnceWith('FatalError');
  });

  it('is told by its number what the person chose, and nothing if no dialog could be shown', async () => {
    const question = { purpose: 'backup', suggested: '/h/b.desk' } as const;
    last().say({ type: 'opened', hasKeychain: true });
    const asked = { type: 'choose-path', window: 7, question } as const;
    last().say({ ...asked, id: 1 });
    await vi.waitFor(() => expect(messages()).toHaveLength(2));
    on.onChoosePath.mockRejectedValueOnce(new Error('no desktop'));
    last().say({ ...asked, id: 2 });
    await vi.waitFor(() => expect(messages()).toHaveLength(3));
    expect(on.onChoosePath.mock.calls).toEqual([[{ ...asked, id: 1 }], [{ ...asked, id: 2 }]]);
    expect(messages().slice(1)).toEqual([
      { type: 'path-chosen', id: 1, path: '/h/backup.desk' },
      { type: 'path-chosen', id: 2, path: null },
    ]);
  });

  it('is told by its number whether somebody took a file', async () => {
    last().say({ type: 'opened', hasKeychain: true });
    const opened = {
      type: 'hand-over',
      id: 1,
      window: 7,
      path: '/h/x.pdf',
      to: 'program',
    } as const;
    const dropped = { type: 'hand-over', id: 2, window: 7, path: '/h/y.pdf', to: 'drop' } as const;
    last().say(opened);
    on.onHandOver.mockRejectedValueOnce(new Error('no desktop'));
    last().say(dropped);
    await vi.waitFor(() => expect(messages()).toHaveLength(3));
    expect(on.onHandOver.mock.calls).toEqual([[opened], [dropped]]);
    const answers = messages().filter((message) => message.type === 'handed-over');
    expect(answers.toSorted((a, b) => a.id - b.id)).toEqual([
      { type: 'handed-over', id: 1, isTaken: true },
      { type: 'handed-over', id: 2, isTaken: false },
    ]);
  });
});
