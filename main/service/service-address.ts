/** Under which addresses partners know the service. Set when it listens. */
export interface ServiceAddress {
  /** Without a trailing slash; what htu is compared with, never taken from a request's headers. */
  publicUrl: string;
  /** `aud` of a client assertion: the address of the token endpoint. */
  audience: string;
}
