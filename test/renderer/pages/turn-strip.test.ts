import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import CaseAmounts from '#renderer/pages/case/CaseAmounts.vue';
import TurnStrip from '#renderer/pages/case/TurnStrip.vue';
import { useQueueStore } from '#renderer/stores/queue-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

const found = {
  field: 'costEstimateRappen',
  seen: null,
  found: 1_234_560,
  mine: 800_000,
} as const;

/** A case whose amounts were changed at the insurer before the user's own arrived. */
async function mountConflict() {
  const desk = createDesk({ count: 1 });
  const [detail] = desk.cases.values();
  if (!detail) throw new Error('no case was made');
  await desk.client.cases.setAmounts({ id: detail.id, costEstimateRappen: 800_000 });
  desk.changeItem(1, {
    state: 'attention',
    problem: { code: 'server_value_changed', params: { ...found } },
    conflicts: [{ ...found, by: 'colleague', noticedAt: '2026-06-15T08:00:00Z' }],
  });
  const { wrapper } = mountPage(TurnStrip, desk, { detail });
  await useQueueStore(desk.pinia).load();
  await flushPromises();
  return { desk, detail, wrapper };
}

test('two values stand once under the head of the case, each by its name', async () => {
  const { wrapper } = await mountConflict();
  const text = wrapper.get('section').text().replaceAll('\u00a0', ' ');
  for (const part of ['Ihrem Büro', 'Stand 15.06.2026']) expect(text).toContain(part);
  for (const value of ['CHF 12’345.60', 'CHF 8’000.00'])
    expect(text.split(value), value).toHaveLength(2);
});

test('the user’s value is sent, or the insurer’s stays, and the strip goes', async () => {
  for (const [name, state] of [
    ['Meinen Wert senden', 'waiting'],
    ['Wert des Versicherers behalten', 'discarded'],
  ] as const) {
    const { desk, wrapper } = await mountConflict();
    await buttonOf(wrapper, name).trigger('click');
    await flushPromises();
    expect(desk.queue, name).toMatchObject([{ state, act: { kind: 'amounts' } }]);
    expect(wrapper.find('section').exists(), name).toBe(false);
    wrapper.unmount();
  }
});

test('the amounts below do not ask a second time', async () => {
  const { desk, detail } = await mountConflict();
  const { wrapper } = mountPage(CaseAmounts, desk, { detail, locked: false });
  await flushPromises();
  expect(wrapper.find('.note[role=alert]').exists()).toBe(false);
  expect(wrapper.text()).not.toContain('Meinen Wert senden');
});

test('a decision that cannot be read is not shown as none', async () => {
  const desk = createDesk({ count: 1 });
  const [detail] = desk.cases.values();
  desk.handlers.day.turns = () => {
    throw new DeskError('disk_full');
  };
  const { wrapper } = mountPage(TurnStrip, desk, { detail });
  await flushPromises();
  expect(wrapper.text()).toContain('Der Datenträger ist voll');
});
