/** What is wrong with a document that was filled. */
export type FlawRule =
  | 'archive'
  | 'xml'
  | 'content-type'
  | 'main'
  | 'relation'
  | 'left'
  | 'table'
  | 'cell'
  | 'block'
  | 'order'
  | 'nesting'
  | 'drawing-id'
  | 'note'
  | 'picture-size'
  | 'picture-wide'
  | 'picture-high';
export interface Flaw {
  readonly rule: FlawRule;
  readonly part: string;
  /** The tag that was left, or what it is about. */
  readonly what: string;
}
