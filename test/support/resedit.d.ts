/**
 * What the packaging test uses of resedit. Its own types bring those of the browser into every
 * file that is checked with it, and a Response of the browser is another than Node's.
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
