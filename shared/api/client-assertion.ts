/** `client_assertion_type` of a signed assertion (RFC 7523 section 2.2). */
export const clientAssertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
