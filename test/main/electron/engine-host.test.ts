import { EventEmitter } from 'node:events';
import type { MessagePortMain } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type EngineHost, startEngineHost } from '#main/electron/engine-host.ts';
import type { FromEngine, ToEngine } from '#main/electron/engine-messages.ts';

/** A stand-in for the engine's process: it hears what it is told, and dies when the test says. */
function createProcess() {
  const events = new EventEmitter();
  const heard: ToEngine['type'][] = [];
  const messages: ToEngine[] = [];
  const ports: MessagePortMain[] = [];
  return {
    heard,
    messages,
    ports,
    on: events.on.bind(events),
    postMessage(message: ToEngine, sent: MessagePortMain[] = []) {
      heard.push(message.type);
      messages.push(message);
      ports.push(...sent);
    },
    say: (message: FromEngine) => void events.emit('message', message),
    fail: (type: string) => void events.emit('error', type),
    die: () => void events.emit('exit', 1),
  };
}

const open = {
  type: 'open',
  home: '/h',
  language: null,
  passphraseVault: false,
  passphrase: null,
} as const;
const port: MessagePortMain = Object.create(null) as MessagePortMain;

describe('the engine’s process', () => {
  let processes: ReturnType<typeof createProcess>[];
  let now: number;
  let host: EngineHost;
  const on = {
    onOpened: vi.fn(),
    onRestarted: vi.fn(),
    onStatus: vi.fn(),
    onError: vi.fn(),
    onHandOver: vi.fn(() => Promise.resolve(true)),
    onChoosePath: vi.fn(() => Promise.resolve<string | null>('/h/backup.desk')),
    onFailed: vi.fn(),
    onEnded: vi.fn(),
  };
  const last = () => {
    const process = processes.at(-1);
    if (!process) throw new Error('none was started');
    return process;
  };

  beforeEach(() => {
    vi.clearAllMocks();
    processes = [];
    now = 0;
    host = startEngineHost({
      // What a stand-in lacks of the type is not used.
      fork: () => {
        const process = createProcess();
        processes.push(process);
        return process as never;
      },
      open,
      now: () => now,
      ...on,
    });
  });

  it('is told to open, and keeps what comes before it is', () => {
    host.tell({ type: 'window' }, port);
    expect(last().heard).toEqual(['open']);
    last().say({ type: 'opened', hasKeychain: true });
    expect(last().heard).toEqual(['open', 'window']);
    expect(last().ports).toEqual([port]);
    expect(on.onOpened).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('that dies is started again, and what came meanwhile reaches the new one', () => {
    last().say({ type: 'opened', hasKeychain: true });
    last().die();
    host.tell({ type: 'file' }, port);
    expect(processes).toHaveLength(2);
    expect(last().heard).toEqual(['open']);
    expect(on.onRestarted).not.toHaveBeenCalled();
    last().say({ type: 'opened', hasKeychain: true });
    expect(last().heard).toEqual(['open', 'file']);
    expect(on.onRestarted).toHaveBeenCalledOnce();
    expect(on.onOpened).toHaveBeenCalledOnce();
  });

  it('that dies four times in a minute is given up', () => {
    for (let death = 0; death < 4; death += 1) {
      expect(on.onEnded).not.toHaveBeenCalled();
      last().die();
    }
    expect(processes).toHaveLength(4);
    expect(on.onEnded).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('that dies now and then is started each time', () => {
    for (let death = 0; death < 10; death += 1) {
      now += 30_000;
      last().die();
    }
    expect(processes).toHaveLength(11);
    expect(on.onEnded).not.toHaveBeenCalled();
  });

  it('that cannot open is not started again', () => {
    const problem = { code: 'home_in_use', params: { pid: 1 } } as const;
    last().say({ type: 'failed', problem });
    last().die();
    expect(on.onFailed).toHaveBeenCalledExactlyOnceWith(problem);
    expect(processes).toHaveLength(1);
  });

  it('that was asked to end, ends', () => {
    last().say({ type: 'opened', hasKeychain: false });
    host.close();
    expect(last().heard).toEqual(['open', 'close']);
    last().die();
    expect(on.onEnded).toHaveBeenCalledExactlyOnceWith(true);
    expect(processes).toHaveLength(1);
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
    last().say({ type: 'choose-path', id: 1, question });
    await vi.waitFor(() => expect(last().messages).toHaveLength(2));
    on.onChoosePath.mockRejectedValueOnce(new Error('no desktop'));
    last().say({ type: 'choose-path', id: 2, question });
    await vi.waitFor(() => expect(last().messages).toHaveLength(3));
    expect(on.onChoosePath.mock.calls).toEqual([[question], [question]]);
    expect(last().messages.slice(1)).toEqual([
      { type: 'path-chosen', id: 1, path: '/h/backup.desk' },
      { type: 'path-chosen', id: 2, path: null },
    ]);
  });

  it('is told by its number whether somebody took a file', async () => {
    last().say({ type: 'opened', hasKeychain: true });
    last().say({ type: 'hand-over', id: 1, path: '/h/opened/a/x.pdf', to: 'program' });
    on.onHandOver.mockRejectedValueOnce(new Error('no desktop'));
    last().say({ type: 'hand-over', id: 2, path: '/h/opened/b/y.pdf', to: 'drop' });
    await vi.waitFor(() => expect(last().messages).toHaveLength(3));
    expect(on.onHandOver.mock.calls).toEqual([
      ['/h/opened/a/x.pdf', 'program'],
      ['/h/opened/b/y.pdf', 'drop'],
    ]);
    const answers = last().messages.filter((message) => message.type === 'handed-over');
    expect(answers.toSorted((a, b) => a.id - b.id)).toEqual([
      { type: 'handed-over', id: 1, isTaken: true },
      { type: 'handed-over', id: 2, isTaken: false },
    ]);
  });
});
