// The package has no types; these are what its src/jslib.cpp offers and the desk uses.
declare module '@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs' {
  interface FrameInfo {
    readonly width: number;
    readonly height: number;
    readonly bitsPerSample: number;
    readonly componentCount: number;
    readonly isSigned: boolean;
  }

  /** Memory that is not freed by the garbage collector. */
  interface Owned {
    delete(): void;
  }

  interface JPEGDecoder extends Owned {
    /** Room for the file, valid until the next call. */
    getEncodedBuffer(sizeBytes: number): Uint8Array;
    decode(): void;
    getFrameInfo(): FrameInfo;
    /** The pixels, valid until the next call. */
    getDecodedBuffer(): Uint8Array;
  }

  interface JPEGEncoder extends Owned {
    getDecodedBuffer(frame: FrameInfo): Uint8Array;
    setQuality(percent: number): void;
    setProgressive(isProgressive: boolean): void;
    /** 0: 4:4:4, 1: 4:2:2, 2: 4:2:0. */
    setSubSampling(kind: number): void;
    encode(): void;
    getEncodedBuffer(): Uint8Array;
  }

  interface Codec {
    readonly JPEGDecoder: new () => JPEGDecoder;
    readonly JPEGEncoder: new () => JPEGEncoder;
  }

  export default function createCodec(): Promise<Codec>;
}
