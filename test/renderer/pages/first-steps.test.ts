import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import FirstSteps from '#renderer/pages/FirstSteps.vue';
import ConnectionWizard from '#renderer/pages/settings/ConnectionWizard.vue';
import { useAppearanceStore } from '#renderer/stores/appearance-store.ts';
import { useDeskStore } from '#renderer/stores/desk-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

/** The first steps of a desk that practises, with the wizard open. */
async function openWizard() {
  const desk = createDesk({ count: 1 });
  const info = desk.info();
  const answers = { kind: 'practice' as 'practice' | 'connection' };
  desk.handlers.desk.info = () => ({
    ...info,
    workspace: { ...info.workspace, kind: answers.kind },
  });
  const about = useDeskStore(desk.pinia);
  await about.load();
  const appearance = useAppearanceStore(desk.pinia);
  appearance.choose({ started: false });
  const { wrapper } = mountPage(FirstSteps, desk);
  await buttonOf(wrapper, 'Verbindung einrichten').trigger('click');
  await vi.waitFor(() => expect(wrapper.findComponent(ConnectionWizard).exists()).toBe(true));
  await flushPromises();
  const wizard = wrapper.getComponent(ConnectionWizard);
  return { wrapper, wizard, about, appearance, answers };
}

test('the first steps stay if the wizard is closed without a connection', async () => {
  const { wrapper, wizard, appearance } = await openWizard();
  wizard.vm.$emit('update:modelValue', false);
  await flushPromises();
  wrapper.unmount();
  expect(appearance.started).toBe(false);
});

test('a connection ends the first steps, although their page is gone by then', async () => {
  const { wrapper, about, appearance, answers } = await openWizard();
  answers.kind = 'connection';
  await about.load();
  wrapper.unmount();
  expect(appearance.started).toBe(true);
});
