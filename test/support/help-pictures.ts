/** The sections of the help that have a picture, in each language and for both themes. */
export const picturedSections = [
  'road-before',
  'road-visit',
  'road-report',
  'road-after',
  'office-start',
  'office-find',
  'office-batch',
  'office-proof',
  'figures',
  'practice',
] as const;

/** The maximum size of one picture. All of them are in the package. */
export const maxPictureBytes = 60_000;
