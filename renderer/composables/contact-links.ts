/*
 * Links of contacts from the partner. Regardless of their text they lead to one number or one
 * address: no other recipient, no text and no code for a phone network comes along.
 */

/** What a phone can dial of a number as people write it (RFC 3966). */
export const dialledOf = (phone: string): string => phone.replaceAll(/[^\d+]/g, '');

/** RFC 3966. */
export const telOf = (phone: string): string => `tel:${dialledOf(phone)}`;

/** RFC 6068. */
export const mailtoOf = (address: string): string =>
  `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** The federal map, with the address searched. */
export const mapOf = (address: string): string =>
  `https://map.geo.admin.ch/?swisssearch=${encodeURIComponent(address)}`;
