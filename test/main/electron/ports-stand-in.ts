import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type ByteLine, createByteLine } from '#main/electron/byte-line.ts';
import type { FromEngine, ToEngine } from '#main/electron/engine-messages.ts';

// Electron's ports and its utility process, over Node's own ports: what is sent is cloned, and a port
// that is handed over is gone here. Each belief names its place in Electron's repository.

/**
 * lib/browser/message-port-main.ts:3 "class MessagePortMain extends EventEmitter": it has `on` and no
 * `addEventListener`, by which oRPC chooses how it listens (message-port of @orpc/client).
 */
export class MessagePortMainStandIn extends EventEmitter {
  readonly internal: MessagePort;

  constructor(internal: MessagePort) {
    super();
    this.internal = internal;
  }

  /** docs/api/message-port-main.md:32 "port.start()": what came before it waits. */
  start(): void {
    this.internal.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
    this.internal.on('close', () => this.emit('close'));
  }

  close(): void {
    this.internal.close();
  }

  postMessage(message: unknown, transfer: readonly MessagePortMainStandIn[] = []): void {
    this.internal.postMessage(message, internals(transfer));
  }
}

/** lib/browser/message-port-main.ts:26: an array alone is taken for the ports to hand over. */
const internals = (ports: readonly MessagePortMainStandIn[]) =>
  ports.map(({ internal }) => internal);

/** lib/browser/api/message-channel.ts:5 */
export class MessageChannelMainStandIn {
  readonly port1: MessagePortMainStandIn;
  readonly port2: MessagePortMainStandIn;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new MessagePortMainStandIn(port1);
    this.port2 = new MessagePortMainStandIn(port2);
  }
}

/** Both ends of one line of the desk's, over real ports. */
export function linePair(): { near: ByteLine; far: ByteLine } {
  const { port1, port2 } = new MessageChannelMainStandIn();
  return { near: createByteLine(port1), far: createByteLine(port2) };
}

/** What a page receives: docs/api/web-frame-main.md:133, ports "will be available in the renderer". */
export function receivedByPage(
  message: unknown,
  transfer: readonly MessagePortMainStandIn[],
): { readonly message: unknown; readonly ports: readonly MessagePort[] } {
  const { port1, port2 } = new MessageChannel();
  const ports = internals(transfer);
  port1.postMessage({ message, ports }, ports);
  // Of what was sent in the line before.
  const received = receiveMessageOnPort(port2)?.message as ReturnType<typeof receivedByPage>;
  port1.close();
  return received;
}

/** What the main process sends over the parent port (engine-messages.ts), and nothing else. */
interface Sent {
  readonly data: ToEngine;
  readonly ports: readonly MessagePort[];
}

/** lib/browser/api/utility-process.ts:9 "class ForkUtilityProcess", with its far end for a test. */
export class UtilityProcessStandIn extends EventEmitter {
  readonly file: string;
  readonly #near: MessagePort;
  readonly #far: MessagePort;
  readonly #heard: Sent[] = [];
  #hasEnded = false;

  constructor(file: string) {
    super();
    this.file = file;
    const { port1, port2 } = new MessageChannel();
    this.#near = port1.on('message', (message: unknown) => this.emit('message', message));
    this.#far = port2;
  }

  /** lib/browser/api/utility-process.ts:138: what is told to a process that has ended is lost. */
  postMessage(message: unknown, transfer: readonly MessagePortMainStandIn[] = []): void {
    if (this.#hasEnded) return;
    const ports = internals(transfer);
    this.#near.postMessage({ data: message, ports }, ports);
  }

  /** What it was told, with the ports that came along; only if nobody listens at `parentPort`. */
  get heard(): readonly Sent[] {
    for (;;) {
      const next = receiveMessageOnPort(this.#far);
      if (!next) return this.#heard;
      this.#heard.push(next.message as Sent);
    }
  }

  /** As the process says it over its parent port, arrived. */
  say(message: FromEngine): void {
    this.emit('message', structuredClone(message));
  }

  /** docs/api/utility-process.md:162: a fatal error of V8, before the exit. */
  fail(type: string): void {
    this.emit('error', type, 'engine-process.js', '{}');
  }

  /** docs/api/utility-process.md:105: terminated gracefully, which is an exit like any other. */
  kill(): boolean {
    this.exit(15);
    return true;
  }

  /** lib/browser/api/utility-process.ts:94: the handle goes at the exit. */
  exit(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#near.close();
    this.emit('exit', code);
  }

  /** `process.parentPort` within it. */
  parentPort(): EventEmitter {
    const far = this.#far;
    const port = Object.assign(new EventEmitter(), {
      postMessage: (message: unknown) => far.postMessage(message),
    });
    // docs/api/parent-port.md:36: messages wait until somebody listens.
    port.once('newListener', () => {
      far.on('message', ({ data, ports }: Sent) => {
        // lib/utility/parent-port.ts:14
        const wrapped = ports.map((each) => new MessagePortMainStandIn(each));
        port.emit('message', { data, ports: wrapped });
      });
    });
    return port;
  }
}
