// The package's own types need a global namespace that it does not declare; these are what the desk uses.
declare module '@jsquash/webp/codec/dec/webp_dec.js' {
  interface Decoder {
    /** Null if the file cannot be decoded to its end; else an ImageData. */
    decode(file: Uint8Array): object | null;
  }

  export default function createDecoder(options: {
    readonly wasmBinary: Uint8Array;
    readonly noInitialRun: boolean;
  }): Promise<Decoder>;
}
