import { expect, test } from 'vitest';
import { createCallLane } from '#main/gateway/turns/call-lane.ts';

/** A pacer that records what becomes of its slots. */
function recordingPacer(name: string, events: string[]) {
  return {
    acquire: () => {
      events.push(`${name} acquired`);
      return Promise.resolve({
        consumed: () => void events.push(`${name} consumed`),
        release: () => void events.push(`${name} released`),
      });
    },
    throttled: () => undefined,
    succeeded: () => undefined,
    learn: () => undefined,
  };
}

const { signal } = new AbortController();

function openLane(disconnected?: AbortSignal) {
  const events: string[] = [];
  const lane = createCallLane({
    first: recordingPacer('first', events),
    further: recordingPacer('further', events),
    disconnected,
    beforeSending: () => Promise.resolve(void events.push('prepared')),
  });
  return { lane, events };
}

test('call lane: a turn whose token expired in the meantime is used by the next attempt', async () => {
  const { lane, events } = openLane();
  (await lane.acquire('person', signal)).release();
  (await lane.acquire('person', signal)).consumed();
  lane.end();
  expect(events).toEqual(['first acquired', 'prepared', 'prepared', 'first consumed']);
});

test('call lane: a further attempt does not wait for a round again', async () => {
  const { lane, events } = openLane();
  (await lane.acquire('person', signal)).consumed();
  (await lane.acquire('person', signal)).consumed();
  lane.end();
  expect(events).toEqual([
    'first acquired',
    'prepared',
    'first consumed',
    'further acquired',
    'prepared',
    'further consumed',
  ]);
});

test('call lane: a turn that is not used is given back, also if nobody waits any more', async () => {
  const { lane, events } = openLane();
  (await lane.acquire('person', signal)).release();
  lane.end();
  expect(events.at(-1)).toBe('first released');

  const disconnected = new AbortController();
  const other = openLane(disconnected.signal);
  (await other.lane.acquire('person', signal)).release();
  disconnected.abort(new Error('away'));
  await expect(other.lane.acquire('person', signal)).rejects.toThrow('away');
  expect(other.events.at(-1)).toBe('first released');
});

test('call lane: what the gateway itself could not do is no failure of the partner', async () => {
  const events: string[] = [];
  const pacer = recordingPacer('first', events);
  const failing = createCallLane({
    first: pacer,
    further: pacer,
    beforeSending: () => Promise.reject(new Error('no database')),
  });
  await expect(failing.acquire('person', signal)).rejects.toThrow('no database');
  expect(failing.ownFailure).toEqual(new Error('no database'));
  expect(events).toEqual(['first acquired', 'first released']);

  const disconnected = new AbortController();
  disconnected.abort(new Error('away'));
  const { lane } = openLane(disconnected.signal);
  (await lane.acquire('person', signal)).release();
  await expect(lane.acquire('person', signal)).rejects.toThrow('away');
  expect(lane.ownFailure).toBeUndefined();
});

test('call lane: a read is sent without a record', async () => {
  const events: string[] = [];
  const pacer = recordingPacer('first', events);
  (await createCallLane({ first: pacer, further: pacer }).acquire('person', signal)).consumed();
  expect(events).toEqual(['first acquired', 'first consumed']);
});
