import { mount } from '@vue/test-utils';
import { expect, test } from 'vitest';
import { createVuetify } from 'vuetify';
import { VTextField } from 'vuetify/components/VTextField';
import { quietHints } from '#renderer/theme/quiet-hints.ts';

test('the hint of a field interrupts nobody, its error does', async () => {
  quietHints();
  quietHints();
  const field = mount(VTextField, {
    props: { hint: 'Nur auf diesem Gerät', persistentHint: true },
    global: { plugins: [createVuetify()] },
  });
  expect(field.text()).toContain('Nur auf diesem Gerät');
  expect(field.find('[role=alert]').exists()).toBe(false);
  await field.setProps({ errorMessages: 'Fehlt' });
  expect(field.get('[role=alert]').text()).toBe('Fehlt');
  await field.setProps({ errorMessages: '' });
  expect(field.find('[role=alert]').exists()).toBe(false);
});
