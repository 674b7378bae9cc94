declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent<object, object, unknown>;
  export default component;
}

/** The part of Tesseract's interface that is used; its package has no types. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  interface TessBaseApi {
    /** @returns 0 if the languages could be loaded */
    Init(dataPath: string | null, languages: string, engineMode: number): number;
    /** Reads `/input`. @returns 1 if it is not a picture */
    SetImageFile(exifOrientation: number, radians: number): number;
    Recognize(monitor: null): number;
    GetTSVText(): string;
    Clear(): void;
  }
  interface TesseractCore {
    readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
    readonly TessBaseAPI: new () => TessBaseApi;
  }
  export default function createCore(options: {
    wasmBinary: Uint8Array<ArrayBuffer>;
    print(line: string): void;
    printErr(line: string): void;
    TesseractProgress(percent: number): void;
  }): Promise<TesseractCore>;
}
