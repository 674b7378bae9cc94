import { expect, test, vi } from 'vitest';
import { VBtn, VCombobox, VDialog, VSelect } from 'vuetify/components';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import ActDialog from '#renderer/components/common/ActDialog.vue';
import SelectionBar from '#renderer/pages/cases/SelectionBar.vue';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useHandlersStore } from '#renderer/stores/handlers-store.ts';
import { useLiveStore } from '#renderer/stores/live-store.ts';
import { useSelectionStore } from '#renderer/stores/selection-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

test('the names of the chosen cases are removed by a separate button, not by an empty field', async () => {
  const desk = createDesk({ count: 2 });
  await useCasesStore(desk.pinia).search();
  await useSelectionStore(desk.pinia).all();
  const set = vi.spyOn(desk.handlers.own, 'setHandler');
  const { wrapper } = mountPage(SelectionBar, desk);
  await buttonOf(wrapper, 'Bearbeitet von …').trigger('click');
  const dialog = wrapper.getComponent(ActDialog);
  await vi.waitFor(() => expect(dialog.props()).toMatchObject({ disabled: true }));
  dialog.getComponent(VCombobox).vm.$emit('update:search', 'Anna Muster');
  await vi.waitFor(() => expect(dialog.props()).toMatchObject({ disabled: false }));

  const remove = dialog
    .findAllComponents(VBtn)
    .find((button) => button.text() === 'Namen entfernen');
  await remove?.trigger('click');
  await vi.waitFor(() => expect(set.mock.lastCall?.[0]).toMatchObject({ name: '' }));
  expect(set).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(dialog.props()).toMatchObject({ modelValue: false }));
});

test('names that were replaced are taken back', async () => {
  const desk = createDesk({ count: 2 });
  const [one = '', other = ''] = desk.cases.keys();
  const before = [
    { ids: [one], name: 'Anna Muster' },
    { ids: [other], name: '' },
  ];
  desk.handlers.own.setHandler = ({ name }) => ({ names: [name], before });
  const set = vi.spyOn(desk.handlers.own, 'setHandler');
  await useHandlersStore(desk.pinia).set([one, other], 'Meier');
  const undos = useUndoStore(desk.pinia);
  expect(undos.shown).toMatchObject({ key: 'undo.handler', params: { n: 2 } });
  await undos.undo();
  expect(set.mock.calls.map(([input]) => input)).toMatchObject([
    { ids: [one, other], name: 'Meier' },
    ...before,
  ]);
});

test('names that another window notes are in the filter', async () => {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  const handlers = useHandlersStore(desk.pinia);
  await handlers.load();
  desk.handlers.own.handlers = () => ({ names: ['Anna Muster'] });
  desk.emit({ type: 'cases.changed', caseIds: null });
  await vi.waitFor(() => expect(handlers.names).toEqual(['Anna Muster']));
});

test('what the gateway of one workspace allows is not known in another', async () => {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  const handlers = useHandlersStore(desk.pinia);
  const mayNot = { state: 'mayNot' } as const;
  desk.handlers.own.office = () => mayNot;
  await handlers.askOffice();
  expect(handlers.office).toEqual(mayNot);
  desk.emit({ type: 'workspace.changed' });
  await vi.waitFor(() => expect(handlers.office).toBeNull());

  const next = desk.hold('own.office');
  const late = handlers.askOffice();
  const seen = vi.fn();
  useLiveStore(desk.pinia).on(seen);
  desk.emit({ type: 'workspace.changed' });
  await vi.waitFor(() => expect(seen).toHaveBeenCalled());
  await next();
  await late;
  expect(handlers.office, 'an answer about the workspace before').toBeNull();
});

async function openDialog(desk: ReturnType<typeof createDesk>) {
  await useCasesStore(desk.pinia).search();
  await useSelectionStore(desk.pinia).all();
  const { wrapper } = mountPage(SelectionBar, desk);
  await buttonOf(wrapper, 'Bearbeitet von …').trigger('click');
  return wrapper.getComponent(ActDialog);
}

test('a dispatcher assigns the chosen cases in the gateway, and cases that it does not have are named', async () => {
  const desk = createDesk({ count: 2 });
  const person = { id: 'laptop-1', name: 'Anna Muster' };
  desk.handlers.own.office = () => ({ state: 'may', isHidden: true, people: [person] });
  const handOver = vi.fn(() => ({ assigned: 1, unknown: ['SF-2026-000002'] }));
  desk.handlers.own.handOver = handOver;
  const dialog = await openDialog(desk);
  await vi.waitFor(() => expect(dialog.findComponent(VSelect).exists()).toBe(true));
  dialog.getComponent(VSelect).vm.$emit('update:modelValue', person.id);
  await vi.waitFor(() => expect(dialog.props()).toMatchObject({ action: 'Zuteilen' }));
  expect(dialog.props()).toMatchObject({ disabled: false });
  expect(document.body.textContent).toContain('kann nichts mehr dazu senden');
  dialog.vm.$emit('act');
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain('nicht zugeteilt: SF-2026-000002'),
  );
  expect(handOver.mock.lastCall?.[0 as never]).toMatchObject({ person });
  // What the gateway answered, not what was asked of it.
  const bar = document.querySelector('.selection');
  expect(bar?.textContent).toContain('1 Fall ist jetzt Anna Muster zugeteilt');
  handOver.mockReturnValue({ assigned: 2, unknown: [] });
  dialog.vm.$emit('act');
  await vi.waitFor(() => expect(dialog.props()).toMatchObject({ modelValue: false }));
  expect(bar?.textContent).toContain('2 Fälle sind jetzt Anna Muster zugeteilt');
  useSelectionStore(desk.pinia).clear();
  await vi.waitFor(() => expect(bar?.textContent).not.toContain('Anna Muster'));
});

test('the dialog stays while an assignment is under way, and its outcome is seen', async () => {
  const desk = createDesk({ count: 2 });
  const person = { id: 'laptop-1', name: 'Anna Muster' };
  desk.handlers.own.office = () => ({ state: 'may', isHidden: false, people: [person] });
  desk.handlers.own.handOver = () => ({ assigned: 1, unknown: ['SF-2026-000002'] });
  const dialog = await openDialog(desk);
  await vi.waitFor(() => expect(dialog.findComponent(VSelect).exists()).toBe(true));
  dialog.getComponent(VSelect).vm.$emit('update:modelValue', person.id);
  const next = desk.hold('own.handOver');
  await vi.waitFor(() => expect(dialog.props()).toMatchObject({ action: 'Zuteilen' }));
  dialog.vm.$emit('act');
  // Neither a key nor a click outside closes it.
  await vi.waitFor(() => expect(dialog.getComponent(VDialog).props('persistent')).toBe(true));
  const cancel = dialog.findAllComponents(VBtn).find((button) => button.text() === 'Abbrechen');
  expect(cancel?.attributes()).toHaveProperty('disabled');
  await next();
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain('nicht zugeteilt: SF-2026-000002'),
  );
  expect(dialog.getComponent(VDialog).props('persistent')).toBe(false);
  await cancel?.trigger('click');
  expect(dialog.props()).toMatchObject({ modelValue: false });
});

test('the dialog stays while a name is being noted, and a refusal is seen', async () => {
  const desk = createDesk({ count: 2 });
  desk.handlers.own.setHandler = () => {
    throw new DeskError('disk_full', {});
  };
  const dialog = await openDialog(desk);
  await vi.waitFor(() => expect(dialog.findComponent(VCombobox).exists()).toBe(true));
  const next = desk.hold('own.setHandler');
  dialog.getComponent(VCombobox).vm.$emit('update:search', 'Anna Muster');
  await vi.waitFor(() => expect(dialog.props()).toMatchObject({ disabled: false }));
  dialog.vm.$emit('act');
  await vi.waitFor(() => expect(dialog.getComponent(VDialog).props('persistent')).toBe(true));
  await next();
  await vi.waitFor(() => expect(document.body.textContent).toContain('Der Datenträger ist voll'));
  expect(dialog.getComponent(VDialog).props('persistent')).toBe(false);
});

test.each([
  ['mayNot', 'Dieses Gerät darf im Büro-Gateway keine Fälle zuteilen.'],
  ['unknown', 'ist ohne Verbindung nicht bekannt'],
] as const)(
  'the dialog states that the gateway is %s, and the name can be noted',
  async (state, text) => {
    const desk = createDesk({ count: 2 });
    desk.handlers.own.office = () => ({ state });
    const dialog = await openDialog(desk);
    await vi.waitFor(() => expect(document.body.textContent).toContain(text));
    expect(dialog.findComponent(VSelect).exists()).toBe(false);
    expect(dialog.findComponent(VCombobox).exists()).toBe(true);
  },
);
