import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import dbus, { type InterfaceDescription, type MessageBus } from '@homebridge/dbus-native';

/** A message bus of Linux desktops that nobody else is on, with the test's own services. */
export interface TestBus {
  /** For DBUS_SESSION_BUS_ADDRESS or DBUS_SYSTEM_BUS_ADDRESS. */
  readonly address: string;
  /** Offers an object under a well-known name. */
  serve(name: string, path: string, object: object, what: InterfaceDescription): Promise<void>;
  /** Sends a signal to everyone who listens. */
  signal(path: string, from: string, name: string, signature: string, args: unknown[]): void;
  /** Calls a method of another program; resolves with the values of its answer. */
  call(to: string, path: string, method: string, args?: BusArguments): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** Their signature, and their values. */
export type BusArguments = readonly [signature: string, ...values: unknown[]];

/** Whether this system has a message bus to start. */
export const hasMessageBus = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'dbus-daemon')));

/** Everyone may own and call everything, and no program of the system is started by a call. */
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
  // Short: the path of a socket has at most 107 characters.
  const folder = mkdtempSync(join(tmpdir(), 'bus-'));
  const file = join(folder, 'bus.conf');
  writeFileSync(file, configurationOf(join(folder, 'socket')));
  const daemon = spawn(
    'dbus-daemon',
    [`--config-file=${file}`, '--nofork', '--nopidfile', '--print-address=1'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
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
