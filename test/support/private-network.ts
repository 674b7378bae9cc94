import { execFileSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { isPrivateAddress } from '#shared/telephone/private-network.ts';

/** A private network with this device in it. */
export interface PrivateNetwork {
  /** The address of this device. */
  readonly address: string;
  /** Runs a program as another device of the network; empty if this device has to do. */
  readonly elsewhere: readonly string[];
  /** Takes this device out of reach of the other one, or brings it back. */
  reach(isThere: boolean): void;
  close(): void;
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/**
 * Makes a private network: with another device in a network namespace if the test runs as root, as
 * in a container; otherwise it is this device's own network.
 * @throws if there is neither; a test is never skipped for it
 */
export function openPrivateNetwork(): PrivateNetwork {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return isRoot ? namespace() : ownNetwork();
}

function namespace(): PrivateNetwork {
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
  ip('netns', 'add', name);
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
  ip('link', 'set', there, 'netns', name);
  ip('addr', 'add', `${address(1)}/30`, 'dev', here);
  ip('link', 'set', here, 'up');
  ip('-n', name, 'addr', 'add', `${address(2)}/30`, 'dev', there);
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'link', 'set', there, 'up');
  return {
    address: address(1),
    elsewhere: ['ip', 'netns', 'exec', name],
    reach: (isThere) => void ip('-n', name, 'link', 'set', there, isThere ? 'up' : 'down'),
    close,
  };
}

function ownNetwork(): PrivateNetwork {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((one) => !one.internal && isPrivateAddress(one.address))?.address;
  if (address === undefined) throw new Error('this device has no private address');
  return { address, elsewhere: [], reach: () => undefined, close: () => undefined };
}
