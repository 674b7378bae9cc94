import { expect, test } from 'vitest';
import { mailtoOf, telOf } from '../../../renderer/composables/contact-links.ts';

test.each([
  [telOf('+41 44 268 12 12'), 'tel:+41442681212'],
  [telOf('044/268;ext=9*#'), 'tel:0442689'],
  [mailtoOf('a.b+c@d.ch'), 'mailto:a.b%2Bc@d.ch'],
  [mailtoOf('a@b.ch?bcc=c@d.ch&body=x'), 'mailto:a@b.ch%3Fbcc%3Dc%40d.ch%26body%3Dx'],
  [mailtoOf('a@b.ch,c@d.ch'), 'mailto:a@b.ch%2Cc%40d.ch'],
])('%s leads to one contact', (link, expected) => {
  expect(link).toBe(expected);
});
