/** Who writes the comments that mark the faults of a template. */
export const commentAuthor = 'Appraiser Desk';
