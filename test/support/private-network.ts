import { execFileSync } from 'node:child_process';
import { constants, networkInterfaces } from 'node:os';
import { z } from 'zod';
import { isPrivateAddress } from '#shared/telephone/private-network.ts';

/** A private network with this device in it. */
export interface PrivateNetwork {
  /** The address of this device. */
  readonly address: string;
  /** Runs a program as another device of the network; empty if this device has to do. */
  readonly elsewhere: readonly string[];
  close(): void;
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
/** The network that scripts/test.mjs made for the whole run. */
const networkVariable = 'TEST_PRIVATE_NETWORK';
const sharedSchema = z.object({ address: z.string(), elsewhere: z.array(z.string()) });

/**
 * Makes a private network: with another device in a network namespace if the tests run as root, as
 * in a container; otherwise it is this device's own network. A run of all tests makes it once, at
 * its start, because Chromium drops the connections of every page when an address comes or goes.
 *
 * @returns null if this machine has no private address and gets none
 */
export function openPrivateNetwork(): PrivateNetwork | null {
  const shared = process.env[networkVariable];
  if (shared === undefined) return isRoot ? namespace() : ownNetwork();
  const { address, elsewhere } = sharedSchema.parse(JSON.parse(shared));
  // An ordinary user may not enter the namespace.
  return { address, elsewhere: isRoot ? elsewhere : [], close: () => undefined };
}

/**
 * Makes a private network for this process and those that it starts. It is removed when this
 * process ends, after a signal, too.
 */
export function sharePrivateNetwork(open = openPrivateNetwork): void {
  const network = open();
  if (!network) return;
  process.env[networkVariable] = JSON.stringify(network);
  process.on('exit', () => network.close());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

function namespace(): PrivateNetwork | null {
  const mark = process.pid % 65_536;
  const [name, here, there] = [`desk-${mark}`, `desk${mark}a`, `desk${mark}b`];
  const address = (last: number) => `10.${mark >> 8}.${mark & 255}.${last}`;
  const quietly = (...args: string[]) => {
    try {
      ip(...args);
    } catch {
      // It was removed with the other end, or never made.
    }
  };
  const close = () => {
    quietly('link', 'del', here);
    quietly('netns', 'del', name);
  };
  // Of an earlier run with the same number that was killed.
  close();
  try {
    ip('netns', 'add', name);
    ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
    ip('link', 'set', there, 'netns', name);
    // Without addresses of IPv6, which come a second later.
    ip('link', 'set', here, 'addrgenmode', 'none');
    ip('addr', 'add', `${address(1)}/30`, 'dev', here);
    ip('link', 'set', here, 'up');
    ip('-n', name, 'addr', 'add', `${address(2)}/30`, 'dev', there);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'link', 'set', there, 'up');
  } catch {
    // This machine has no `ip`, or root may not change its networks.
    close();
    return ownNetwork();
  }
  return { address: address(1), elsewhere: ['ip', 'netns', 'exec', name], close };
}

function ownNetwork(): PrivateNetwork | null {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((one) => !one.internal && isPrivateAddress(one.address))?.address;
  return address === undefined ? null : { address, elsewhere: [], close: () => undefined };
}
