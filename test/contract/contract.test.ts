import { MessageChannel } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORPCError, createORPCClient } from '@orpc/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RPCLink as MessagePortLink } from '@orpc/client/message-port';
import { RPCLink as WebSocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { RPCHandler } from '@orpc/server/message-port';
import { deskProblemSchema, paramOf } from '#shared/desk/contract/errors.ts';
import type { Handlers, Engine } from '#main/engine/engine.ts';
import type { contract } from '#shared/desk/contract/contract.ts';
import { sheetBase64MaxLength, sheetMaxBytes } from '#shared/desk/contract/message-limit.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { createRouter, handlerOptions } from '#main/bridge/router.ts';
import { startBrowserShell } from '#main/browser/browser-shell.ts';
import {
  caseId,
  createLogStub,
  createStubEngine,
  type StubParts,
  openPage,
} from '../support/stub-engine.ts';
import { memoryDesk } from '../support/memory-engine.ts';
import { temporaryFolder } from '../support/processes.ts';

type DeskClient = ContractRouterClient<typeof contract>;

interface Line {
  readonly client: DeskClient;
  /** The window disappears without a message. */
  cut(): void;
  close(): Promise<void>;
}

type Transport = (engine: Engine, log: FaultLog) => Promise<Line>;

/** As in the desktop shell: both ends of one channel. */
const overMessagePort: Transport = (engine, log) => {
  const { port1, port2 } = new MessageChannel();
  new RPCHandler(createRouter(engine, log), handlerOptions(log)).upgrade(port1);
  port1.start();
  port2.start();
  const client: DeskClient = createORPCClient(new MessagePortLink({ port: port2 }));
  const cut = () => port2.close();
  return Promise.resolve({ client, cut, close: () => Promise.resolve().then(cut) });
};

/** As in the browser shell: both ends prove themselves on a WebSocket. */
const overWebSocket: Transport = async (engine, log) => {
  const pages = temporaryFolder();
  writeFileSync(join(pages.path, 'index.html'), '<!doctype html>');
  const shell = await startBrowserShell({ engine, pagesDir: pages.path, port: 0, log });
  const page = await openPage(shell);
  const websocket = await page.open('contract');
  const client: DeskClient = createORPCClient(new WebSocketLink({ websocket }));
  return {
    client,
    cut: () => websocket.close(),
    close: async () => {
      page.close();
      await shell.close();
      pages.remove();
    },
  };
};

const transports: readonly (readonly [string, Transport])[] = [
  ['MessagePort', overMessagePort],
  ['WebSocket', overWebSocket],
];

describe.each(transports)('the contract over %s', (_name, transport) => {
  async function open(parts: StubParts = {}) {
    const log = createLogStub();
    const stub = createStubEngine({ ...parts, log });
    const line = await transport(stub.engine, log);
    onTestFinished(() => line.close());
    return { ...line, stub, log };
  }

  async function problemOf(call: Promise<unknown>) {
    const error: unknown = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof ORPCError)) throw new Error('the call did not fail as agreed');
    expect([error.code, error.defined]).toEqual(['DESK', true]);
    return deskProblemSchema.parse(error.data);
  }

  it('answers a call with what the engine says', async () => {
    const { client } = await open();
    expect((await client.desk.info()).workspace.kind).toBe('practice');
    const { items, total } = await client.cases.list({ q: 'muster' });
    expect([items[0]?.id, total]).toEqual([caseId, 1]);
  });

  it('fills defaults before the engine is asked', async () => {
    const list = vi.fn<Handlers['cases']['list']>(() => ({
      items: [],
      total: 0,
      totalIsExact: true,
      byStatus: {},
    }));
    const { client } = await open({ handlers: { cases: { list } } });
    await client.cases.list({});
    expect(list).toHaveBeenCalledWith({
      q: '',
      sort: 'lastChangedAt',
      descending: true,
      offset: 0,
      limit: 100,
    });
  });

  it('takes the largest sheet, and the next call after it', async () => {
    let sizeChars = 0;
    const { client } = await open({
      handlers: {
        batch: {
          setSheet({ contentBase64 }) {
            sizeChars = contentBase64.length;
            return { batch: null };
          },
        },
      },
    });
    const contentBase64 = Buffer.alloc(sheetMaxBytes).toString('base64');
    const fileName = 'x'.repeat(500);
    await client.batch.setSheet({ fileName, contentBase64 });
    expect(sizeChars).toBe(sheetBase64MaxLength);
    expect((await client.desk.info()).workspace.kind).toBe('practice');
  });

  it('carries a DeskError as the typed error', async () => {
    const { client } = await open();
    expect(await problemOf(client.cases.get({ id: 'VH-9' }))).toEqual({
      code: 'case_not_found',
      params: { id: 'VH-9' },
    });
  });

  it('names the field of an input that the schema refuses, never its value', async () => {
    const { client } = await open();
    const problem = await problemOf(client.cases.list({ limit: 0 }));
    expect(problem).toEqual({
      code: 'invalid_input',
      params: { field: 'limit', rule: 'too_small' },
    });
  });

  it('answers anything else as internal, with a correlation id that the log holds', async () => {
    const get = () => {
      throw Object.assign(new TypeError('Anna Muster has no phone'), { code: 'SQLITE_BUSY' });
    };
    const { client, log } = await open({ handlers: { cases: { get } } });
    const problem = await problemOf(client.cases.get({ id: 'x' }));
    expect(problem.code).toBe('internal');
    expect(log.lines[0]?.fields).toMatchObject({
      correlationId: paramOf(problem, 'correlationId'),
      where: 'cases.get',
      name: 'TypeError',
      code: 'SQLITE_BUSY',
    });
    expect(JSON.stringify(log.lines)).not.toContain('Muster');
  });

  it('answers an output that breaks the contract as internal', async () => {
    const status = (() => ({ phase: 'resting' })) as unknown as Handlers['sync']['status'];
    const { client, log } = await open({ handlers: { sync: { status } } });
    expect((await problemOf(client.sync.status())).code).toBe('internal');
    expect(log.lines).toHaveLength(1);
  });

  it('streams events in order', async () => {
    const { client, stub } = await open();
    const events = await client.events();
    expect(await events.next()).toMatchObject({ value: { type: 'alive' } });
    stub.emit({ type: 'documents.changed', caseId });
    stub.emit({ type: 'workspace.changed' });
    expect(await events.next()).toMatchObject({ value: { type: 'documents.changed' } });
    expect(await events.next()).toMatchObject({ value: { type: 'workspace.changed' } });
  });

  it('has begun the events when it answers a later call, so that no change is missed', async () => {
    const at: number[] = [];
    const info = () => {
      at.push(stub.open.subscriptions);
      return memoryDesk;
    };
    const { client, stub } = await open({ handlers: { desk: { info } } });
    const [events] = await Promise.all([client.events(), client.desk.info()]);
    expect(at).toEqual([1]);
    await events.return(undefined);
  });

  it('ends the engine’s subscription when the window stops listening', async () => {
    const { client, stub } = await open();
    const events = await client.events();
    await events.next();
    expect(stub.open.subscriptions).toBe(1);
    await events.return(undefined);
    await vi.waitFor(() => expect(stub.open.subscriptions).toBe(0));
  });

  it('ends the engine’s subscription when the line is cut', async () => {
    const { client, stub, ...line } = await open();
    const events = await client.events();
    await events.next();
    line.cut();
    await vi.waitFor(() => expect(stub.open.subscriptions).toBe(0));
  });

  it('tells a listener when the events break off', async () => {
    const { client } = await open({
      events: async function* () {
        yield { type: 'alive', at: '2026-05-01T08:00:00Z' };
        await Promise.reject(new Error('gone'));
      },
    });
    const events = await client.events();
    await events.next();
    expect((await problemOf(events.next())).code).toBe('internal');
  });
});
