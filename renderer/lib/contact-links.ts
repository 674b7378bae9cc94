/*
 * Links for contacts from the partner. Regardless of the contact's text, a link leads to one number
 * or one address, without further recipients or codes of the telephone network, and with no text but
 * the user's own.
 */

/** The digits and signs of a written phone number that can be dialled (RFC 3966). */
export const dialledOf = (phone: string): string => phone.replaceAll(/[^\d+]/g, '');

/** A tel link (RFC 3966). */
export const telOf = (phone: string): string => `tel:${dialledOf(phone)}`;

/** A mailto link (RFC 6068). */
export const mailtoOf = (address: string): string =>
  `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** A mailto link with a subject and a text, which the mail program shows before it sends (RFC 6068). */
export const mailOf = (
  address: string,
  { subject, text }: { readonly subject: string; readonly text: string },
): string =>
  `${mailtoOf(address)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`;

/** An sms link with a text, which the telephone program shows before it sends (RFC 5724). */
export const smsOf = (phone: string, text: string): string =>
  `sms:${dialledOf(phone)}?body=${encodeURIComponent(text)}`;

/** A link to the federal map that searches the address. */
export const mapOf = (address: string): string =>
  `https://map.geo.admin.ch/?swisssearch=${encodeURIComponent(address)}`;
