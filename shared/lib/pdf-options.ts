/** What pdf.js is told of every PDF: what a file can ask for, and what of a broken one is shown. */
export const pdfReading = { enableXfa: false, stopAtErrors: false } as const;

/** For programs that read a PDF and draw nothing of it: no font is loaded, and no picture decoded. */
export const pdfReadingOnly = {
  ...pdfReading,
  /** `VerbosityLevel.ERRORS` of pdf.js. */
  verbosity: 0,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
} as const;

/**
 * What a stream that is no picture may unpack to, bytes: operators, objects or a font; of the largest
 * drawings one has 20 MB. pdf.js has no limit of its own. Its buffers double, so this is a power of
 * two.
 */
export const pdfStreamMaxBytes = 64 * 1024 * 1024;
