/**
 * The part of resedit that the packaging test uses. Its own types would add the browser's types to
 * every file that is checked with it, and a browser's Response differs from Node's.
 */

export declare class NtExecutable {
  static createEmpty(is32Bit: boolean, isDll: boolean): NtExecutable;
  generate(): ArrayBuffer;
}
export declare class NtExecutableResource {
  static from(executable: NtExecutable, ignoresSignature: boolean): NtExecutableResource;
  readonly entries: unknown[];
  outputResource(executable: NtExecutable): void;
}
interface Language {
  readonly lang: number;
  readonly codepage: number;
}
declare class VersionInfo {
  static createEmpty(): VersionInfo;
  setStringValues(language: Language, values: Readonly<Record<string, string>>): void;
  outputToResourceEntries(entries: unknown[]): void;
}
export declare const Resource: { readonly VersionInfo: typeof VersionInfo };
