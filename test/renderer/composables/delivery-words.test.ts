import { mount } from '@vue/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defineComponent, h, ref } from 'vue';
import type { DeliveryFacts, SyncStatus } from '#shared/desk/delivery/sync.ts';
import { useDeliveryWords } from '#renderer/composables/delivery-words.ts';
import { createDeskI18n, showLanguage } from '#renderer/i18n/create-i18n.ts';
import { syncStatus } from '../../support/desk-records.ts';

const now = Date.parse('2026-06-15T07:23:00Z');
beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => void vi.useRealTimers());

async function mountSentence(facts: Partial<DeliveryFacts>, more: Partial<SyncStatus> = {}) {
  const none = syncStatus().delivery;
  const status = ref<SyncStatus | null>(syncStatus({ ...more, delivery: { ...none, ...facts } }));
  const Shown = defineComponent(() => {
    const { words, awaits } = useDeliveryWords(status);
    return () => h('p', [words.value, '|', awaits.value]);
  });
  const i18n = createDeskI18n();
  await showLanguage(i18n, 'de');
  return mount(Shown, { global: { plugins: [i18n] } });
}
const sentence = async (...input: Parameters<typeof mountSentence>) =>
  (await mountSentence(...input)).text();
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const part = { done: 3, total: 12, goesOut: 4 };

/** Every state of the delivery with its sentence. */
test.each<[string, Partial<DeliveryFacts>, Partial<SyncStatus>, string]>([
  ['nothing goes out', {}, {}, '|'],
  [
    'a request is on its way',
    { ...part, doneAt: at(2) },
    {},
    '3 von 12 zugestellt, fertig um 09:25|',
  ],
  [
    'the limits let the next one through later',
    { ...part, nextAt: at(1), doneAt: at(2) },
    {},
    '3 von 12 zugestellt, weiter um 09:24:00, fertig um 09:25|',
  ],
  [
    'a promised time is over',
    { ...part, nextAt: at(-1), doneAt: at(-1) },
    {},
    '3 von 12 zugestellt, bald fertig|',
  ],
  [
    'there is no network',
    part,
    { network: 'offline' },
    '3 von 12 zugestellt, Zeitpunkt ohne Verbindung nicht bekannt|',
  ],
  ['it is paused', part, { paused: true }, '3 von 12 zugestellt, Versand angehalten|'],
  [
    'only the insurer can go on',
    { awaits: 2 },
    {},
    '|2 Einträge warten, bis der Fall angenommen ist.',
  ],
])('while %s', async (_, facts, more, words) => {
  expect(await sentence(facts, more)).toBe(words);
});

test('a time to the second is not shown any more once it is over', async () => {
  const shown = await mountSentence({ ...part, nextAt: at(0.1), doneAt: at(2) });
  expect(shown.text()).toContain('weiter um 09:23:06');
  await vi.advanceTimersByTimeAsync(7000);
  expect(shown.text()).toBe('3 von 12 zugestellt, fertig um 09:25|');
  shown.unmount();
});
