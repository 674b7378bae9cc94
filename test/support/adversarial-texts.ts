import { RegExpParser, type AST } from '@eslint-community/regexpp';

/**
 * A short text that makes a backtracking matcher slow if it is repeated. Pumps consist of what each
 * repeatable part of an expression matches, alone and after its preceding parts, and of each pair
 * of characters that the expression distinguishes.
 */
export interface Pump {
  readonly before: string;
  readonly repeated: string;
  readonly after: string;
}

/** Characters of every usual kind. Each expression adds its own. */
const usual = [
  'aZß1 \t\n\r-._/\\"\'<>=()[]{},;:!?@#$%&*+|~^`',
  '\u0301\u00ad\u00a0\u2010\u2019€\u0001字',
].flatMap((text) => text.split(''));

/** Texts after a repetition: none, or one that few expressions match. */
const endings = ['', '\u0001', '\n\u0001', 'x'];

/** Returns all pumps of an expression, each once. */
export function pumpsOf(source: string, flags: string): Pump[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const signs = distinguished(pattern, flags);
  const found = new Map<string, Pump>();
  const add = (before: string, repeated: string) => {
    if (repeated === '') return;
    for (const after of endings)
      found.set(JSON.stringify([before, repeated, after]), { before, repeated, after });
  };
  for (const one of signs) for (const other of signs) add('', one === other ? one : one + other);
  for (const { before, repeated } of repeatedParts(pattern, signs, flags)) {
    add('', repeated);
    add(before, repeated);
  }
  return [...found.values()];
}

/** Returns one character for each set of characters that the atoms of an expression treat alike. */
function distinguished(pattern: AST.Pattern, flags: string): string[] {
  const atoms = [...within(pattern)]
    .filter(isAtom)
    .map(({ raw }) => new RegExp(`^${raw}$`, plainFlags(flags)));
  const own = [...within(pattern)].flatMap((node) =>
    node.type === 'Character' ? String.fromCodePoint(node.value) : [],
  );
  const byUse = new Map<string, string>();
  for (const sign of [...own, ...usual]) {
    const use = atoms.map((atom) => Number(atom.test(sign))).join('');
    if (!byUse.has(use)) byUse.set(use, sign);
  }
  return [...byUse.values()].slice(0, signsMax);
}
/** An expression that distinguishes more characters than this is a list of words. */
const signsMax = 10;

const plainFlags = (flags: string) => flags.replaceAll(/[gym]/g, '');

type Atom = AST.Character | AST.CharacterSet | AST.CharacterClass;
const isAtom = (node: AST.Node): node is Atom =>
  node.type === 'CharacterSet' ||
  node.type === 'CharacterClass' ||
  (node.type === 'Character' &&
    node.parent.type !== 'CharacterClass' &&
    node.parent.type !== 'CharacterClassRange');

/** Yields a node and all nodes below it. */
function* within(node: AST.Node): Generator<AST.Node> {
  yield node;
  if (node.type === 'CharacterClass') return;
  if ('alternatives' in node) for (const each of node.alternatives) yield* within(each);
  if ('elements' in node) for (const each of node.elements) yield* within(each);
  if (node.type === 'Quantifier') yield* within(node.element);
}

/**
 * Yields each part of an expression that can be repeated, with the text that the parts before it
 * match.
 */
function* repeatedParts(
  pattern: AST.Pattern,
  signs: readonly string[],
  flags: string,
): Generator<{ before: string; repeated: string }> {
  for (const node of within(pattern)) {
    if (node.type !== 'Alternative') continue;
    for (const variant of [0, 1]) {
      const parts = partsOf(node, { signs, flags, variant });
      for (const [from] of parts.entries())
        for (let to = from + 1; to <= Math.min(parts.length, from + partsMax); to += 1)
          yield { before: parts.slice(0, from).join(''), repeated: parts.slice(from, to).join('') };
    }
  }
}
/** At most this many neighbours are repeated together. */
const partsMax = 4;

/** Returns what the parts of an alternative match. Adjacent characters are one part. */
function partsOf(alternative: AST.Alternative, how: How): string[] {
  const parts: string[] = [];
  let isWord = false;
  for (const element of alternative.elements) {
    const sample = sampleOf(element, how);
    const isCharacter = element.type === 'Character';
    if (isCharacter && isWord) parts.push(`${parts.pop() ?? ''}${sample}`);
    else if (sample !== '') parts.push(sample);
    isWord = isCharacter;
  }
  return parts;
}

interface How {
  readonly signs: readonly string[];
  readonly flags: string;
  readonly variant: number;
}

/** Returns a text that a node matches. `variant` chooses among its characters and alternatives. */
function sampleOf(node: AST.Node, how: How): string {
  const { signs, flags, variant } = how;
  if (node.type === 'Character') return String.fromCodePoint(node.value);
  if (isAtom(node)) {
    const atom = new RegExp(`^${node.raw}$`, plainFlags(flags));
    const fitting = signs.filter((sign) => atom.test(sign));
    return fitting[variant % Math.max(1, fitting.length)] ?? '';
  }
  if (node.type === 'Quantifier')
    return sampleOf(node.element, how).repeat(Math.min(Math.max(node.min, 1), node.max, 60));
  if ('alternatives' in node && (node.type === 'Group' || node.type === 'CapturingGroup')) {
    const chosen = node.alternatives[variant % node.alternatives.length];
    return chosen?.elements.map((each) => sampleOf(each, how)).join('') ?? '';
  }
  return '';
}
