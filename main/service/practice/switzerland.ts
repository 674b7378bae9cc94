import { inThrees } from '#shared/lib/money.ts';
import type { Random } from './random.ts';
import type { Place, Tongue, World } from './worlds/world.ts';

/** Fictional people at real Swiss places. Their numbers and addresses cannot belong to anybody. */

export interface Address {
  readonly address: string;
  readonly postalCode: string;
  readonly city: string;
}

/** The members that every party of a payload shares. */
export interface Person extends Address {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
}

export interface Resident extends Person {
  /** The canton as two letters, as on a number plate. */
  readonly canton: string;
}

/** A resident of Switzerland. Seven of ten speak the language of the region. */
export function makeResident(random: Random, world: World): Resident {
  const [first, second, last] = world.tongues;
  const tongue = random.chance(0.7) ? first : random.chance(0.65) ? second : last;
  const place = random.pick(world.places.filter((candidate) => candidate[3] === tongue));
  const people = world.people[tongue];
  const name = `${random.pick(people.first)} ${random.pick(people.last)}`;
  return {
    name,
    ...makeAddress(random, world, place),
    phone: makePhone(random, random.pick(['76', '77', '78', '79'])),
    email: `${slug(name)}@post.example`,
    canton: place[2],
  };
}

/** A resident as a payload's party, without the canton. */
export function personMembers({
  name,
  address,
  postalCode,
  city,
  phone,
  email,
}: Resident): Record<string, string> {
  return { name, address, postalCode, city, phone, email };
}

/** A workshop near a party's home. */
export function makeWorkshop(
  random: Random,
  { people, tongues, workshop }: World,
  near: Address,
  trade: 'car' | 'machine',
): Person {
  const owner = random.pick(people[tongues[0]].last);
  const kind = random.pick(trade === 'car' ? workshop.garages : workshop.machineWorks);
  const name = `${kind} ${owner} ${workshop.form}`;
  return {
    name,
    address: `${workshop.street} ${random.int(1, 60)}`,
    postalCode: near.postalCode,
    city: near.city,
    phone: makePhone(random, workshop.areaCode),
    email: `info@${slug(name)}.example`,
  };
}

/** The place of an incident: near home, or anywhere. */
export function makeLocation(random: Random, world: World, home: Address): Address {
  if (random.chance(0.4))
    return { ...pickAddress(home), address: makeStreet(random, world, world.tongues[0]) };
  const place = random.pick(world.places);
  return makeAddress(random, world, place);
}

function pickAddress({ address, postalCode, city }: Address): Address {
  return { address, postalCode, city };
}

function makeAddress(random: Random, world: World, place: Place): Address {
  const [postalCode, city, , tongue] = place;
  return { address: makeStreet(random, world, tongue), postalCode, city };
}

function makeStreet(random: Random, { people }: World, tongue: Tongue): string {
  return `${random.pick(people[tongue].streets)} ${random.int(1, 140)}`;
}

/** The number is fictional, because no subscriber number begins with 000. */
function makePhone(random: Random, prefix: string): string {
  return `+41 ${prefix} 000 ${random.digits(2)} ${random.digits(2)}`;
}

/** A licence plate such as `ZH 123 456`. */
export function makePlate(random: Random, canton: string): string {
  const digits = random.digits(random.int(4, 6));
  return `${canton} ${inThrees(digits, ' ')}`;
}

/** A vehicle number of 17 characters (ISO 3779), without I, O and Q. */
export function makeVin(random: Random, manufacturer: string): string {
  const alphabet = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';
  const middle = Array.from({ length: 8 }, () => alphabet[random.int(0, alphabet.length - 1)]);
  return `${manufacturer}${middle.join('')}${random.digits(6)}`;
}

/** A policy number such as `14.302.118-5`. */
export function makePolicyNumber(random: Random): string {
  return `${random.digits(2)}.${random.digits(3)}.${random.digits(3)}-${random.int(0, 9)}`;
}

/**
 * The name in lower case, without accents, joined by dots or hyphens, for an address at a
 * `.example` name.
 */
function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '.');
}
