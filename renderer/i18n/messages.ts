import type { de } from './de.ts';

/** The same tree with any text at its leaves. */
export type TextsLike<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string ? string : TextsLike<Tree[Key]>;
};

/** What a language has to say: the shape of the German texts. */
export type Messages = TextsLike<typeof de>;

type Path<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${Key}`
    : Path<Tree[Key], `${Prefix}${Key}.`>;
}[keyof Tree & string];

/** Every text's dotted key. */
export type MessageKey = Path<typeof de>;
