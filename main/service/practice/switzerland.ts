import type { Random } from './random.ts';

/** Fictional people at real Swiss places. Nobody can have their numbers and addresses. */

type Tongue = 'de' | 'fr' | 'it';

interface Place {
  readonly postalCode: string;
  readonly city: string;
  readonly canton: string;
  readonly tongue: Tongue;
}

const places: readonly Place[] = (
  [
    ['8001', 'Zürich', 'ZH', 'de'],
    ['8400', 'Winterthur', 'ZH', 'de'],
    ['8610', 'Uster', 'ZH', 'de'],
    ['8820', 'Wädenswil', 'ZH', 'de'],
    ['3011', 'Bern', 'BE', 'de'],
    ['3600', 'Thun', 'BE', 'de'],
    ['2502', 'Biel/Bienne', 'BE', 'de'],
    ['3800', 'Interlaken', 'BE', 'de'],
    ['6003', 'Luzern', 'LU', 'de'],
    ['6210', 'Sursee', 'LU', 'de'],
    ['6460', 'Altdorf', 'UR', 'de'],
    ['6430', 'Schwyz', 'SZ', 'de'],
    ['6300', 'Zug', 'ZG', 'de'],
    ['8750', 'Glarus', 'GL', 'de'],
    ['4500', 'Solothurn', 'SO', 'de'],
    ['4600', 'Olten', 'SO', 'de'],
    ['4051', 'Basel', 'BS', 'de'],
    ['4410', 'Liestal', 'BL', 'de'],
    ['8200', 'Schaffhausen', 'SH', 'de'],
    ['9100', 'Herisau', 'AR', 'de'],
    ['9000', 'St. Gallen', 'SG', 'de'],
    ['8640', 'Rapperswil', 'SG', 'de'],
    ['7000', 'Chur', 'GR', 'de'],
    ['7270', 'Davos Platz', 'GR', 'de'],
    ['5000', 'Aarau', 'AG', 'de'],
    ['5400', 'Baden', 'AG', 'de'],
    ['8500', 'Frauenfeld', 'TG', 'de'],
    ['3920', 'Zermatt', 'VS', 'de'],
    ['1700', 'Fribourg', 'FR', 'fr'],
    ['1003', 'Lausanne', 'VD', 'fr'],
    ['1400', 'Yverdon-les-Bains', 'VD', 'fr'],
    ['1950', 'Sion', 'VS', 'fr'],
    ['2000', 'Neuchâtel', 'NE', 'fr'],
    ['1201', 'Genève', 'GE', 'fr'],
    ['2800', 'Delémont', 'JU', 'fr'],
    ['6500', 'Bellinzona', 'TI', 'it'],
    ['6600', 'Locarno', 'TI', 'it'],
    ['6900', 'Lugano', 'TI', 'it'],
  ] as const
).map(([postalCode, city, canton, tongue]) => ({ postalCode, city, canton, tongue }));

const names: Record<Tongue, { first: readonly string[]; last: readonly string[] }> = {
  de: {
    first:
      'Anna Beat Claudia Daniel Elisabeth Fabian Gabriela Hans Isabelle Jürg Karin Lukas Monika Niklaus Petra Reto Silvia Thomas Ursula Vreni Walter Yvonne'.split(
        ' ',
      ),
    last: 'Aebischer Bühler Christen Dürrenmatt Egli Frei Gerber Hofstetter Imhof Jäggi Keller Lüthi Müller Nägeli Odermatt Pfister Rüegg Schäfer Tschudi Vögeli Wüthrich Zürcher'.split(
      ' ',
    ),
  },
  fr: {
    first:
      'Amélie Bernard Céline Didier Élodie François Geneviève Hervé Julien Laurence Mathieu Noémie Pascal Sébastien Valérie'.split(
        ' ',
      ),
    last: 'Aubert Bonvin Chappuis Dubuis Favre Girardet Jaquet Mottier Perrin Rochat Savary Thévenaz Vuilleumier'.split(
      ' ',
    ),
  },
  it: {
    first: 'Alessia Bruno Chiara Davide Elena Fabrizio Giulia Luca Marta Paolo Sara'.split(' '),
    last: 'Bernasconi Cattaneo Fontana Galli Lepori Pedrazzini Quadri Rezzonico Soldati'.split(' '),
  },
};

const streets: Record<Tongue, readonly string[]> = {
  de: [
    'Bahnhofstrasse',
    'Dorfstrasse',
    'Hauptstrasse',
    'Kirchgasse',
    'Lindenweg',
    'Mühlebachweg',
    'Rosenbergstrasse',
    'Seestrasse',
    'Sonnenrain',
    'Zürcherstrasse',
  ],
  fr: ['Rue de la Gare', 'Rue du Lac', 'Chemin des Vignes', 'Avenue de la Poste', 'Grand-Rue'],
  it: ['Via Cantonale', 'Via Stazione', 'Via San Gottardo', 'Viale dei Tigli', 'Via al Lago'],
};

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
  /** Two letters, as on a number plate. */
  readonly canton: string;
}

/** A resident of Switzerland; seven of ten speak German. */
export function makeResident(random: Random): Resident {
  const tongue: Tongue = random.chance(0.7) ? 'de' : random.chance(0.65) ? 'fr' : 'it';
  const place = random.pick(places.filter((candidate) => candidate.tongue === tongue));
  const name = `${random.pick(names[tongue].first)} ${random.pick(names[tongue].last)}`;
  return {
    name,
    ...makeAddress(random, place),
    phone: makePhone(random, random.pick(['76', '77', '78', '79'])),
    email: `${slug(name)}@post.example`,
    canton: place.canton,
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

const garages = ['Garage', 'Carrosserie', 'Auto-Center', 'Spritzwerk'];
const machineWorks = ['Landmaschinen', 'Maschinenbau', 'Technik-Service', 'Mechanik'];

/** A workshop near a party's home. */
export function makeWorkshop(random: Random, near: Address, trade: 'car' | 'machine'): Person {
  const owner = random.pick(names.de.last);
  const kind = random.pick(trade === 'car' ? garages : machineWorks);
  const name = `${kind} ${owner} AG`;
  return {
    name,
    address: `Industriestrasse ${random.int(1, 60)}`,
    postalCode: near.postalCode,
    city: near.city,
    phone: makePhone(random, '44'),
    email: `info@${slug(name)}.example`,
  };
}

/** The place of an incident: near home, or anywhere. */
export function makeLocation(random: Random, home: Address): Address {
  if (random.chance(0.4)) return { ...pickAddress(home), address: makeStreet(random, 'de') };
  const place = random.pick(places);
  return makeAddress(random, place);
}

function pickAddress({ address, postalCode, city }: Address): Address {
  return { address, postalCode, city };
}

function makeAddress(random: Random, { postalCode, city, tongue }: Place): Address {
  return { address: makeStreet(random, tongue), postalCode, city };
}

function makeStreet(random: Random, tongue: Tongue): string {
  return `${random.pick(streets[tongue])} ${random.int(1, 140)}`;
}

/** No subscriber number begins with 000. */
function makePhone(random: Random, prefix: string): string {
  return `+41 ${prefix} 000 ${random.digits(2)} ${random.digits(2)}`;
}

/** `ZH 123 456`. */
export function makePlate(random: Random, canton: string): string {
  const digits = random.digits(random.int(4, 6));
  return `${canton} ${digits.replace(/(?=(?:\d{3})+$)/g, ' ').trim()}`;
}

/** 17 characters of ISO 3779, without I, O and Q. */
export function makeVin(random: Random, manufacturer: string): string {
  const alphabet = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';
  const middle = Array.from({ length: 8 }, () => alphabet[random.int(0, alphabet.length - 1)]);
  return `${manufacturer}${middle.join('')}${random.digits(6)}`;
}

/** `14.302.118-5`. */
export function makePolicyNumber(random: Random): string {
  return `${random.digits(2)}.${random.digits(3)}.${random.digits(3)}-${random.int(0, 9)}`;
}

/** Lower case, without accents, joined by dots or hyphens, for an address at a `.example` name. */
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
