import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { DeskError } from '#shared/desk/contract/errors.ts';
import ActDialog from '#renderer/components/common/ActDialog.vue';
import QueuePage from '#renderer/pages/queue/QueuePage.vue';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { mountPage, buttonOf, chooseFromMenu } from '../fixtures/mount-page.ts';

/** Chooses an act from the menu of an entry of this kind. */
const chooseAct = (page: Parameters<typeof buttonOf>[0], kind: string, act: string) =>
  chooseFromMenu(page, `Mehr zu «${kind}»`, act);

/** The queue with one comment whose text is being changed. */
async function openEdit() {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  await desk.client.cases.setComment({ id, text: 'Erster Text' });
  await linked(desk);
  const { wrapper } = mountPage(QueuePage, desk);
  await flushPromises();
  const button = (text: string) => buttonOf(wrapper, text);
  await chooseAct(wrapper, 'Kommentar', 'Bearbeiten');
  await wrapper.get('textarea').setValue('Zweiter Text');
  const save = async () => {
    await wrapper.get('form').trigger('submit');
    await flushPromises();
  };
  return { ...desk, wrapper, button, save };
}

test('what was typed stays if the change is refused, and the reason is shown next to it', async () => {
  const { wrapper, handlers, save } = await openEdit();
  handlers.queue.edit = () => {
    throw new DeskError('queue_row_state', { id: 1, state: 'sending' });
  };
  await save();
  expect(wrapper.get('textarea').element.value).toBe('Zweiter Text');
  expect(wrapper.find('form + [role=alert]').exists()).toBe(true);
});

test('what was typed stays when the act is sent in the meantime', async () => {
  const { wrapper, changeItem, save, handlers } = await openEdit();
  handlers.queue.edit = ({ id }) => changeItem(id, {});
  changeItem(1, { state: 'sending' });
  await vi.waitUntil(() => wrapper.text().includes('Wird gesendet'));
  expect(wrapper.get('textarea').element.value).toBe('Zweiter Text');
  await save();
  expect(wrapper.find('textarea').exists()).toBe(false);
});

test('what comes too late is reported at its act, in words that need no number', async () => {
  const { wrapper, handlers, changeItem } = await openEdit();
  await chooseAct(wrapper, 'Kommentar', 'Verwerfen');
  for (const [state, sentence] of [
    ['sending', 'Zu spät: Das wird gerade gesendet.'],
    ['unknown', 'Zu spät: Das wird gerade gesendet.'],
    ['delivered', 'Zu spät: Das ist bereits zugestellt.'],
    ['discarded', 'Das ist bereits verworfen.'],
  ] as const) {
    handlers.queue.discard = () => {
      throw new DeskError('queue_row_state', { id: 1, state });
    };
    wrapper.getComponent(ActDialog).vm.$emit('act');
    await flushPromises();
    expect(wrapper.get('article .note[role=alert]').text()).toContain(sentence);
  }
  // What was typed is still there, and what succeeds takes the refusal away.
  expect(wrapper.get('textarea').element.value).toBe('Zweiter Text');
  handlers.queue.discard = () => changeItem(1, { state: 'discarded' });
  wrapper.getComponent(ActDialog).vm.$emit('act');
  await flushPromises();
  expect(wrapper.find('article .note[role=alert]').exists()).toBe(false);
});

test('what waits for its case is one row, and says more when it is opened', async () => {
  const { wrapper, button, changeItem } = await openEdit();
  changeItem(1, {
    waitingFor: 'acceptance',
    problem: { code: 'case_state', params: { status: 'Assigned' } },
  });
  await vi.waitUntil(() => wrapper.text().includes('Wartet auf die Annahme des Falls'));
  expect(wrapper.find('article .note').exists()).toBe(false);
  await button('Schritte zeigen').trigger('click');
  expect(wrapper.get('article .note').text()).toContain('«Zugeteilt»');
});

test('a reason for reopening that was deleted is asked for', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  await desk.client.cases.reopen({ id, reason: 'Nachtrag' });
  const { wrapper } = mountPage(QueuePage, desk);
  await flushPromises();
  const button = (text: string) => buttonOf(wrapper, text);
  await chooseAct(wrapper, 'Wiedereröffnung', 'Bearbeiten');
  await wrapper.get('textarea').setValue(' ');
  expect(wrapper.text()).toContain('Bitte geben Sie eine Begründung ein.');
  expect(button('Speichern').attributes('disabled')).toBeDefined();
});

test('only what needs the user looks like an error', async () => {
  const { wrapper, changeItem } = await openEdit();
  const problem = { code: 'offline', params: { host: 'partner.example' } } as const;
  changeItem(1, { problem, waitingFor: 'network' });
  await vi.waitUntil(() => wrapper.find('article .note').exists());
  expect(wrapper.get('article .note').classes()).toContain('passing');
  changeItem(1, { problem, state: 'attention' });
  await vi.waitUntil(() => wrapper.text().includes('Zu klären'));
  expect(wrapper.get('article .note').classes()).not.toContain('passing');
});

test('the whole of a long comment is read with its steps', async () => {
  const { wrapper, button } = await openEdit();
  const act = () => wrapper.get('article .what').classes();
  expect(act()).toContain('truncate');
  await button('Schritte zeigen').trigger('click');
  expect(act()).not.toContain('truncate');
});

test('drafts, what waits and what is delivered are parts of one page, and a day chooses deliveries', async () => {
  const desk = createDesk({ count: 4 });
  const [first = '', second = '', third = ''] = desk.cases.keys();
  await desk.client.reports.createDraft({ id: first });
  await desk.client.cases.setComment({ id: second, text: 'Wartet noch' });
  await desk.client.cases.setComment({ id: third, text: 'Ist angekommen' });
  const proof = { status: 200, correlationId: 'c', serverId: null, sizeBytes: null, sha256: null };
  const delivered = { ...proof, at: '2026-06-12T10:00:00Z' };
  desk.changeItem(2, { state: 'delivered', delivered });
  await linked(desk);
  const { wrapper, router } = mountPage(QueuePage, desk);
  await flushPromises();
  const shown = () => wrapper.findAll('h2').map((one) => one.text().replaceAll(/\s+/g, ' '));
  expect(shown()).toEqual(['Entwürfe 1', 'Wartet 1', 'Zugestellt 1']);
  const part = (name: string) =>
    wrapper.findAll('[role=group] button').find((one) => one.text().startsWith(name));
  await part('Wartet')?.trigger('click');
  await vi.waitFor(() => expect(shown()).toEqual(['Wartet 1']));
  expect(router.currentRoute.value.query).toEqual({ part: 'waiting' });
  // A day is asked of what was delivered, and stands only there.
  expect(wrapper.find('input[inputmode=numeric]').exists()).toBe(false);
  await part('Zugestellt')?.trigger('click');
  await vi.waitFor(() => expect(shown()).toEqual(['Zugestellt 1']));
  const day = wrapper.get('input[inputmode=numeric]');
  await day.setValue('12.06.2026');
  await flushPromises();
  expect(shown()).toEqual(['Zugestellt 1']);
  await day.setValue('13.06.2026');
  await flushPromises();
  expect(shown()).toEqual(['Zugestellt 0']);
  expect(wrapper.text()).toContain('Am 13.06.2026 wurde von diesem Gerät nichts zugestellt.');
  await day.setValue('');
  // A set part is a chip, which removes it.
  expect(part('Zugestellt')?.attributes('aria-pressed')).toBe('true');
  await part('Zugestellt')?.trigger('click');
  await vi.waitFor(() => expect(shown()).toHaveLength(3));
  expect(part('Zugestellt')?.attributes('aria-pressed')).toBe('false');
  expect(router.currentRoute.value.query).toEqual({});
});

test('two values that differ are decided by two buttons', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  await desk.client.cases.setAmounts({ id, costEstimateRappen: 800_000, approvedRappen: null });
  await linked(desk);
  desk.changeItem(1, {
    state: 'attention',
    problem: { code: 'offline', params: { host: 'partner.example' } },
    conflicts: [
      {
        field: 'costEstimateRappen',
        seen: null,
        found: 1_234_560,
        mine: 800_000,
        by: 'colleague',
        noticedAt: '2026-06-15T08:00:00Z',
      },
    ],
  });
  const { wrapper } = mountPage(QueuePage, desk);
  await flushPromises();
  const buttons = wrapper
    .findAll('article button')
    .map((one) => one.attributes('aria-label') ?? one.text());
  expect(buttons).toContain('Meinen Wert senden');
  expect(buttons).toContain('Wert des Versicherers behalten');
  expect(buttons).not.toContain('Erneut versuchen');
  expect(buttons).not.toContain('Verwerfen');
  // The values stand once: the sentence asks, and names none of them.
  expect(wrapper.get('article [role=alert]').text()).toContain('Welcher Wert gilt?');
  expect(wrapper.find('article .note').exists()).toBe(false);
});

test('of many cases in the outbox those near what is in sight exist; on paper all do', async () => {
  const desk = createDesk({ count: 120 });
  for (const id of desk.cases.keys()) await desk.client.cases.setComment({ id, text: 'Text' });
  const { wrapper } = mountPage(QueuePage, desk);
  await flushPromises();
  const cases = () => wrapper.findAll('article').length;
  expect(wrapper.get('#part-waiting').text()).toContain('120');
  const drawn = cases();
  expect(drawn).toBeGreaterThan(0);
  expect(drawn).toBeLessThan(60);
  window.dispatchEvent(new Event('beforeprint'));
  await nextTick();
  expect(cases()).toBe(120);
  window.dispatchEvent(new Event('afterprint'));
  await nextTick();
  expect(cases()).toBe(drawn);
});

test('only the first entry of a case shows whose it is; a screen reader hears it of each', async () => {
  const desk = createDesk({ count: 1 });
  const [{ id, partyName, externalKey } = { id: '', partyName: '', externalKey: '' }] =
    desk.cases.values();
  await desk.client.cases.setAmounts({ id, costEstimateRappen: 800_000 });
  await desk.client.cases.setComment({ id, text: 'Erster Text' });
  const { wrapper } = mountPage(QueuePage, desk);
  await flushPromises();
  const articles = wrapper.findAll('article');
  const whose = partyName || externalKey;
  expect(articles.map((one) => one.attributes('aria-label')).sort()).toEqual([
    `${whose}: Beträge`,
    `${whose}: Kommentar`,
  ]);
  expect(articles.map((one) => one.get('.case').text() !== '')).toEqual([true, false]);
});

test('proofs that cannot be saved say why at their act, and at the head of the page', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  await desk.client.cases.setComment({ id, text: 'Ist angekommen' });
  const delivered = {
    at: '2026-06-12T10:00:00Z',
    status: 200,
    correlationId: 'c',
    serverId: null,
    sizeBytes: null,
    sha256: null,
  };
  desk.changeItem(1, { state: 'delivered', delivered });
  const { wrapper } = mountPage(QueuePage, desk);
  await flushPromises();
  desk.handlers.queue.list = () => {
    throw new DeskError('disk_full');
  };
  const note = (place: string) => wrapper.find(`${place} > .note`);
  expect(note('article').exists()).toBe(false);
  await wrapper.get('article [aria-label^="Nachweis"]').trigger('click');
  await flushPromises();
  expect(note('article').text()).toContain('Der Datenträger ist voll');
  expect(wrapper.get('article .acts').find('.note').exists()).toBe(false);
  expect(note('.sheet').exists()).toBe(false);
  await buttonOf(wrapper, 'Nachweise speichern').trigger('click');
  await flushPromises();
  expect(note('.sheet').text()).toContain('Der Datenträger ist voll');
});
