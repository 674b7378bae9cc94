/** An IPv4 address as a number; null for any other text. */
function parseIpv4(text: string): number | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
  const numbers = parts.map(Number);
  if (numbers.some((number) => number > 255)) return null;
  return numbers.reduce((sum, number) => sum * 256 + number, 0);
}

/** A network by its first and its last address. */
interface Network {
  readonly first: number;
  readonly last: number;
}

/** A network in the form 192.168.10.0/24; null for any other text. */
function parseNetwork(text: string): Network | null {
  const [start = '', digits = '', ...rest] = text.split('/');
  const address = parseIpv4(start);
  if (address === null || rest.length > 0 || !/^\d{1,2}$/.test(digits)) return null;
  const size = 2 ** (32 - Number(digits));
  if (size < 1) return null;
  const first = Math.floor(address / size) * size;
  return { first, last: first + size - 1 };
}

/** RFC 1918: an office's network and the hotspot of a telephone are of these. */
const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].flatMap(
  (text) => parseNetwork(text) ?? [],
);

const contains = ({ first, last }: Network, inner: Network) =>
  first <= inner.first && inner.last <= last;

/** Whether the text is a private network, such as 192.168.10.0/24, or a part of one. */
export function isPrivateNetwork(text: string): boolean {
  const network = parseNetwork(text);
  return network !== null && privateNetworks.some((whole) => contains(whole, network));
}

/** Whether the address is of a private network: not public, loopback or link-local. */
export const isPrivateAddress = (address: string): boolean => isPrivateNetwork(`${address}/32`);

/** Whether an address is in one of the networks. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const one = parseNetwork(`${address}/32`);
  return (
    one !== null &&
    networks.some((text) => {
      const network = parseNetwork(text);
      return network !== null && contains(network, one);
    })
  );
}
