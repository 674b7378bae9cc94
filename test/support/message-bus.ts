import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import dbus, { type InterfaceDescription, type MessageBus } from '@homebridge/dbus-native';
import { endsWithTests } from './children.ts';

/** A separate message bus of a Linux desktop, with only the test's own services. */
export interface TestBus {
  /** The value of DBUS_SESSION_BUS_ADDRESS or DBUS_SYSTEM_BUS_ADDRESS. */
  readonly address: string;
  /** Offers an object under a well-known name. */
  serve(name: string, path: string, object: object, what: InterfaceDescription): Promise<void>;
  /** Sends a signal to all listeners. */
  signal(path: string, from: string, name: string, signature: string, args: unknown[]): void;
  /** Calls a method of another program. Resolves with the values of its answer. */
  call(to: string, path: string, method: string, args?: BusArguments): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** The signature of the arguments, and their values. */
export type BusArguments = readonly [signature: string, ...values: unknown[]];

/** Whether this system has a program that runs a message bus. */
export const hasMessageBus = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'dbus-daemon')));

/** Every client may own and call everything, and a call starts no program of the system. */
const configurationOf = (socket: string) => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

export async function startBus(): Promise<TestBus> {
  // The folder's name is short, because the path of a socket has at most 107 characters.
  const folder = mkdtempSync(join(tmpdir(), 'bus-'));
  const file = join(folder, 'bus.conf');
  writeFileSync(file, configurationOf(join(folder, 'socket')));
  const daemon = endsWithTests(
    spawn(
      'dbus-daemon',
      [`--config-file=${file}`, '--nofork', '--nopidfile', '--print-address=1'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    ),
  );
  const address = await firstLine(daemon);
  const bus = dbus.createClient({ busAddress: address });
  return {
    address,
    serve: (name, path, object, what) => serve(bus, name, path, object, what),
    signal: (...signal) => bus.sendSignal(...signal),
    call: (...call) => callMethod(bus, ...call),
    async stop() {
      bus.connection.end();
      const ended = once(daemon, 'exit');
      daemon.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function firstLine(daemon: ChildProcess): Promise<string> {
  if (!daemon.stdout) throw new Error('the process has no pipe');
  for await (const line of createInterface({ input: daemon.stdout })) return line;
  throw new Error('the message bus does not start');
}

function serve(
  bus: MessageBus,
  name: string,
  path: string,
  object: object,
  what: InterfaceDescription,
): Promise<void> {
  bus.exportInterface(object, path, what);
  return new Promise((resolve, reject) => {
    bus.requestName(name, 0, (error) => (error ? reject(failure(error)) : resolve()));
  });
}

function callMethod(
  bus: MessageBus,
  destination: string,
  path: string,
  method: string,
  [signature, ...body]: BusArguments = [''],
): Promise<unknown[]> {
  const dot = method.lastIndexOf('.');
  const target = { interface: method.slice(0, dot), member: method.slice(dot + 1) };
  const message = { destination, path, ...target, ...(signature !== '' && { signature, body }) };
  return new Promise((resolve, reject) => {
    bus.invoke(message, (error, ...values: unknown[]) =>
      error ? reject(failure(error)) : resolve(values),
    );
  });
}

const failure = (cause: unknown) =>
  new Error(
    typeof cause === 'object' && cause !== null && 'name' in cause ? String(cause.name) : 'refused',
    { cause },
  );
