import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { electron } from './electron-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);

it('keeps a port until the page listens, passes on the last one, and each that comes later', async () => {
  const posted: unknown[] = [];
  const events = new EventEmitter();
  vi.stubGlobal('window', {
    location: { origin: 'desk://app' },
    addEventListener: events.on.bind(events),
    postMessage: (...message: unknown[]) => posted.push(message),
  });
  await import('#main/electron/preload.ts');
  const give = (...ports: string[]) => electron.ipcRenderer.emit('desk-port', { ports });

  give('first');
  give('second');
  events.emit('message', { data: 'something else' });
  expect(posted).toEqual([]);
  events.emit('message', { data: 'desk-ready' });
  expect(posted).toEqual([['desk-port', 'desk://app', ['second']]]);
  give('third');
  expect(posted.slice(1)).toEqual([['desk-port', 'desk://app', ['third']]]);
});
