import { describe, expect, test } from 'vitest';
import CaseAmounts from '#renderer/components/case/CaseAmounts.vue';
import { createFakeEngine } from '../fixtures/fake-engine.ts';
import { mountView } from '../fixtures/mount-view.ts';

const [detail] = createFakeEngine({ count: 5, today: '2026-06-15' }).cases.values();
if (!detail) throw new Error('no case was made');
const none = { costEstimateAmount: null, approvedAmount: null, savingsAmount: null };

function mountAmounts(props: Record<string, unknown> = {}) {
  const view = mountView(CaseAmounts, {
    props: {
      detail: { ...detail, ...none, server: { ...detail?.server, ...none } },
      estimate: undefined,
      approved: undefined,
      locked: false,
      item: undefined,
      problem: undefined,
      onChange: (part: string, text: string) => view.setProps({ [part]: text }),
      ...props,
    },
  });
  const [estimate, approved] = view.findAll('input');
  if (!estimate || !approved) throw new Error('the fields are missing');
  const save = () => view.findAll('button').find((button) => button.text().includes('speichern'));
  return { view, estimate, approved, save };
}

describe('amounts', () => {
  test('typing works out the saving in Rappen and tidies to the Swiss format', async () => {
    const { view, estimate, approved, save } = mountAmounts();
    await estimate.setValue("12'345.6");
    await approved.setValue('12345.50');
    expect(view.text().replaceAll('\u00a0', ' ')).toContain('CHF 0.10');
    await estimate.trigger('blur');
    expect(estimate.element.value).toBe('12’345.60');
    await save()?.trigger('click');
    expect(view.emitted('save')).toEqual([
      [{ costEstimateAmount: 12345.6, approvedAmount: 12345.5 }],
    ]);
  });

  test.each([
    ['12,345.678', 'Keine gültige Zahl'],
    ['-5', 'nicht negativ'],
    ['1.234', 'zwei Stellen'],
    ['1000000000', '999’999’999.99'],
  ])('%s is refused under the field, and cannot be saved', async (text, rule) => {
    const { view, estimate, save } = mountAmounts();
    await estimate.setValue(text);
    expect(view.find('.v-messages').text()).toContain(rule);
    expect(save()?.attributes('disabled')).toBeDefined();
    await estimate.trigger('keydown', { key: 'Enter' });
    expect(view.emitted('save')).toBeUndefined();
    expect(estimate.element.value).toBe(text);
  });

  test('an emptied field clears the value', async () => {
    const { view, estimate, save } = mountAmounts({
      detail: {
        ...detail,
        ...none,
        costEstimateAmount: 10,
        server: { ...detail.server, ...none },
      },
    });
    await estimate.setValue('');
    await save()?.trigger('click');
    expect(view.emitted('save')).toEqual([[{ costEstimateAmount: null, approvedAmount: null }]]);
  });

  test('a change from elsewhere does not overwrite what is being typed', async () => {
    const { view, estimate } = mountAmounts();
    await estimate.setValue('77');
    await view.setProps({ detail: { ...detail, ...none, costEstimateAmount: 99 } });
    expect(estimate.element.value).toBe('77');
  });
});
