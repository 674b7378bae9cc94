/** The part of libheif's own interface that is used; its package types only the bare functions. */
declare module 'libheif-js/libheif-wasm/libheif.js' {
  interface HeifPixels {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
  }
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    /** Calls back with null if the picture cannot be decoded. */
    display(into: HeifPixels, done: (shown: HeifPixels | null) => void): void;
    free(): void;
  }
  interface Libheif {
    readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  }
  export default function createLibheif(options: {
    wasmBinary: ArrayBuffer | Uint8Array;
  }): Libheif | Promise<Libheif>;
}
