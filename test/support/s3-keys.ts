/**
 * The keys of s3rver's only account. They are separate from s3rver, which takes half a second to
 * load.
 */
export const s3Keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
