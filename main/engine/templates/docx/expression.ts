import type { TemplateFindingReason } from '#shared/desk/reports/templates.ts';
import { filterNames, isEntryFilter, isFilterName, type FilterName } from './filter-names.ts';

/*
 * The language of a field. It is read by hand into a small tree and evaluated over plain data
 * (evaluate.ts): no function of JavaScript can be reached, no member of an object is read, nothing
 * loops, and a name is looked up as a whole.
 */
const limits = { length: 300, nodes: 60, depth: 12 };

const binaryOperators = ['+', '-', '*', '/', '=', '!=', '<', '<=', '>', '>=', 'and', 'or'] as const;
export type BinaryOperator = (typeof binaryOperators)[number];

export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number; readonly unit: 'cm' | 'mm' | '%' | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'negative' | 'not'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'filter';
      readonly filter: FilterName;
      readonly of: Expression;
      readonly inputs: readonly Expression[];
    };

/** Why a field cannot be read. */
export class FieldFault extends Error {
  readonly reason: TemplateFindingReason;
  /** The word at which it fails. */
  readonly word: string;

  constructor(reason: TemplateFindingReason, word = '') {
    super(`${reason} ${word}`);
    this.reason = reason;
    this.word = word;
  }
}

type Token =
  | { readonly type: 'number'; readonly value: number; readonly unit: 'cm' | 'mm' | '%' | null }
  | { readonly type: 'text' | 'name' | 'sign'; readonly text: string };

// Word turns quotes and operators into typographic ones while one types.
const tokenPattern =
  /(\s+)|(\d+(?:\.\d+)?)(?:\s*(cm|mm|%))?(?![\p{L}\d])|["“”„«»]([^"“”„«»]*)["“”„«»]|['‘’‚‹›]([^'‘’‚‹›]*)['‘’‚‹›]|(<=|>=|!=|<>|==|[≤≥≠=<>+\-–−*×/()|:,])|([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)/uy;
const same: Readonly<Record<string, string>> = {
  '–': '-',
  '−': '-',
  '×': '*',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '<>': '!=',
  '==': '=',
};
const words: readonly string[] = ['and', 'or', 'not'];

function tokensOf(text: string): Token[] {
  if (text.length > limits.length) throw new FieldFault('too_long');
  const found: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (!match) throw new FieldFault('syntax', text.slice(at, at + 20));
    const [, space, number, unit, double, single, sign, name] = match;
    if (space !== undefined) continue;
    if (number !== undefined) {
      const known = unit === 'cm' || unit === 'mm' || unit === '%' ? unit : null;
      found.push({ type: 'number', value: Number(number), unit: known });
    } else if (sign !== undefined) found.push({ type: 'sign', text: same[sign] ?? sign });
    else if (name !== undefined)
      found.push({ type: words.includes(name) ? 'sign' : 'name', text: name });
    else found.push({ type: 'text', text: double ?? single ?? '' });
  }
  return found;
}

/** @param text what stands in the braces, without the mark @throws {FieldFault} */
export function parseExpression(text: string): Expression {
  const reader = new Reader(tokensOf(text));
  const tree = reader.filtered();
  reader.end();
  return tree;
}

const isBinary = (text: string): text is BinaryOperator =>
  (binaryOperators as readonly string[]).includes(text);

/** Reads tokens from left to right; each method reads one level of precedence. */
class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #nodes = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  end(): void {
    const token = this.#tokens[this.#at];
    if (token) throw new FieldFault('syntax', wordOf(token));
  }

  filtered(): Expression {
    let of = this.#condition();
    while (this.#takes('|')) {
      const token = this.#tokens[this.#at++];
      const filter = token?.type === 'name' ? token.text : '';
      if (!isFilterName(filter)) throw new FieldFault('filter', token ? wordOf(token) : '');
      const inputs: Expression[] = [];
      if (this.#takes(':'))
        do inputs.push(this.#condition());
        while (this.#takes(','));
      const { least, most } = filterNames[filter];
      if (inputs.length < least || inputs.length > most) throw new FieldFault('filter', filter);
      of = this.#node({ kind: 'filter', filter, of, inputs });
    }
    return of;
  }

  #condition(): Expression {
    return this.#chain(['or'], () => this.#chain(['and'], () => this.#compared()));
  }

  #compared(): Expression {
    const left = this.#sum();
    const operator = this.#takesOne(['=', '!=', '<', '<=', '>', '>=']);
    return operator ? this.#node({ kind: 'binary', operator, left, right: this.#sum() }) : left;
  }

  #sum(): Expression {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#single()));
  }

  #chain(operators: readonly BinaryOperator[], lower: () => Expression): Expression {
    let left = lower();
    for (let found = this.#takesOne(operators); found; found = this.#takesOne(operators))
      left = this.#node({ kind: 'binary', operator: found, left, right: lower() });
    return left;
  }

  #single(): Expression {
    const token = this.#tokens[this.#at++];
    if (!token) throw new FieldFault('syntax');
    if (token.type === 'number')
      return this.#node({ kind: 'number', value: token.value, unit: token.unit });
    if (token.type === 'text') return this.#node({ kind: 'text', text: token.text });
    if (token.type === 'name') return this.#node({ kind: 'name', name: token.text });
    if (token.text === '-')
      return this.#deeper(() => this.#node({ kind: 'negative', of: this.#single() }));
    if (token.text === 'not')
      return this.#deeper(() => this.#node({ kind: 'not', of: this.#compared() }));
    if (token.text !== '(') throw new FieldFault('syntax', token.text);
    const inner = this.#deeper(() => this.filtered());
    if (!this.#takes(')')) throw new FieldFault('syntax', ')');
    return inner;
  }

  #deeper(read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > limits.depth) throw new FieldFault('too_long');
    const found = read();
    this.#depth -= 1;
    return found;
  }

  #node(node: Expression): Expression {
    this.#nodes += 1;
    if (this.#nodes > limits.nodes) throw new FieldFault('too_long');
    return node;
  }

  #takes(sign: string): boolean {
    const token = this.#tokens[this.#at];
    const isIt = token?.type === 'sign' && token.text === sign;
    if (isIt) this.#at += 1;
    return isIt;
  }

  #takesOne(operators: readonly BinaryOperator[]): BinaryOperator | null {
    const token = this.#tokens[this.#at];
    if (token?.type !== 'sign' || !isBinary(token.text) || !operators.includes(token.text))
      return null;
    this.#at += 1;
    return token.text;
  }
}

const wordOf = (token: Token): string =>
  token.type === 'number' ? String(token.value) : token.text;

/** A name that an expression reads; `list` is the list in whose entries it is read. */
export interface NameUse {
  readonly name: string;
  readonly list: string | null;
}

/** Every name of an expression. */
export function namesOf(tree: Expression, list: string | null = null): NameUse[] {
  switch (tree.kind) {
    case 'name':
      return [{ name: tree.name, list }];
    case 'negative':
    case 'not':
      return namesOf(tree.of, list);
    case 'binary':
      return [...namesOf(tree.left, list), ...namesOf(tree.right, list)];
    case 'filter': {
      const inner = isEntryFilter(tree.filter) ? innermostName(tree.of) : list;
      return [...namesOf(tree.of, list), ...tree.inputs.flatMap((input) => namesOf(input, inner))];
    }
    default:
      return [];
  }
}

/** The list, picture or value that an expression begins with; null of one that begins otherwise. */
export function innermostName(tree: Expression): string | null {
  if (tree.kind === 'name') return tree.name;
  if (tree.kind === 'filter' || tree.kind === 'negative' || tree.kind === 'not')
    return innermostName(tree.of);
  return tree.kind === 'binary' ? innermostName(tree.left) : null;
}

/** A name, or what filters pass on of a list or picture as such; everything else is a text. */
export const isWhole = (tree: Expression): boolean =>
  tree.kind === 'name' ||
  (tree.kind === 'filter' && filterNames[tree.filter].isWhole && isWhole(tree.of));
