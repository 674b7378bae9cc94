import { TiffError } from '#shared/photos/tiff.ts';

/** Why a TIFF cannot be read; null if it can. Any other error is the reader's own. */
export function faultOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof TiffError)) throw error;
    return error.fault;
  }
}
