/** The longest caption of a photo, in UTF-16 units. */
export const captionMax = 300;
