/** Why a file cannot be used as a photo. */
export type PhotoFault =
  | 'not_a_picture'
  | 'cut_off'
  | 'too_large'
  | 'too_many_pages'
  | 'unreadable';

export class PhotoError extends Error {
  override readonly name = 'PhotoError';
  readonly fault: PhotoFault;

  constructor(fault: PhotoFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}
