import { TiffError } from '#shared/photos/tiff.ts';

/**
 * Returns why a TIFF cannot be read, or null if it can. Any other error is a fault of the reader
 * and is thrown.
 */
export function faultOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof TiffError)) throw error;
    return error.fault;
  }
}
