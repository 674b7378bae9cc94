import type { NetworkInterfaceInfo } from 'node:os';
import type { TelephoneNetwork } from '#shared/desk/reports/telephone.ts';
import { isPrivateAddress, isWithin } from '#shared/telephone/private-network.ts';

/** Adapters of virtual machines, containers and tunnels, which a telephone does not reach. */
const virtual = /^(?:br-|docker|veth|virbr|vboxnet|vmnet|tun|tap|utun|wg|tailscale|zt|vEthernet)/i;

/**
 * The networks on which a telephone may reach this device: no loopback, no link-local, no public
 * address. Those of virtual adapters come last.
 * @param allowed networks such as 192.168.10.0/24; null: every private network
 */
export function telephoneNetworks(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>,
  allowed: readonly string[] | null,
): TelephoneNetwork[] {
  const found = Object.entries(interfaces).flatMap(([network, addresses = []]) =>
    addresses
      .filter(({ address, internal }) => !internal && isPrivateAddress(address))
      .filter(({ address }) => allowed === null || isWithin(address, allowed))
      .map(({ address }) => ({ network, address })),
  );
  const rank = ({ network }: TelephoneNetwork) => Number(virtual.test(network));
  return found.sort((one, other) => rank(one) - rank(other));
}
