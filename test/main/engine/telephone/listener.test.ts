import { channel } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listener, listenForTelephone } from '#main/engine/telephone/listener.ts';
import { telephoneLimits } from '#shared/telephone/limits.ts';
import { openPrivateNetwork } from '../../../support/private-network.ts';

const network = openPrivateNetwork();
afterAll(() => network?.close());

const address = network?.address ?? '';
const errors: unknown[] = [];
let nowMs: number;
let listener: Listener;
const get = async (): Promise<number> => {
  const response = await fetch(`http://${address}:${listener.port}/`);
  await response.arrayBuffer();
  return response.status;
};

beforeEach(async () => {
  if (network === null) return;
  nowMs = 5000;
  errors.length = 0;
  const served = {
    page: { html: Buffer.from('page'), headers: {} },
    hello: () => 'ended' as const,
    begin: () => 'ended' as const,
    send: () => 'ended' as const,
    onError: (error: unknown) => void errors.push(error),
  };
  listener = await listenForTelephone({ address, port: 0 }, served, () => nowMs);
});
afterEach(() => (network === null ? undefined : listener.close()));

describe.skipIf(network === null)('the listener for telephones', () => {
  it('answers an address only so often in a second', async () => {
    for (let n = 0; n < telephoneLimits.requestsPerSecond; n += 1) expect(await get()).toBe(200);
    expect(await get()).toBe(429);
    nowMs += 1000;
    expect(await get()).toBe(200);
  });

  it('reports an error of its server, and goes on', async () => {
    const servers: Server[] = [];
    const note = (message: unknown) => void servers.push((message as { server: Server }).server);
    const requests = channel('http.server.request.start');
    requests.subscribe(note);
    await get();
    requests.unsubscribe(note);
    const fault = new Error('accept EMFILE');
    for (let n = 0; n < 2; n += 1) servers[0]?.emit('error', fault);
    expect(errors).toEqual([fault, fault]);
    expect(await get()).toBe(200);
  });
});
