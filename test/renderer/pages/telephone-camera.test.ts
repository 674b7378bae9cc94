import { beforeEach, expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import type { TelephoneState } from '#shared/desk/reports/telephone.ts';
import TelephoneCamera from '#renderer/pages/report/TelephoneCamera.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

const draftId = '11111111-1111-4111-8111-111111111111';
const otherId = '22222222-2222-4222-8222-222222222222';
const networks = [{ network: 'lan', address: '192.168.1.5' }];
const sessionOf = (id: string, isReachable = true): TelephoneState => ({
  session: {
    draftId: id,
    caseId: 'case',
    network: 'lan',
    address: '192.168.1.5',
    isReachable,
    code: 'http://192.168.1.5:4000/#key.session',
    isConnected: false,
    stored: 0,
    waiting: 0,
    isDone: false,
    refused: 0,
  },
  networks,
  obstacle: null,
});

let desk: ReturnType<typeof createDesk>;
let state: TelephoneState;
beforeEach(() => {
  desk = createDesk({ count: 1 });
  state = { session: null, networks, obstacle: null };
  desk.handlers.telephone.state = () => state;
  desk.handlers.telephone.begin = (input) => (state = sessionOf(input.draftId));
  desk.handlers.telephone.end = () => (state = { session: null, networks, obstacle: null });
});

const dialog = () => document.querySelector<HTMLElement>('[role=dialog]');
const press = (text: string) =>
  [...(dialog()?.querySelectorAll('button') ?? [])]
    .find((button) => button.textContent.trim() === text)
    ?.click();
async function openDialog() {
  const begin = vi.spyOn(desk.handlers.telephone, 'begin');
  const { wrapper } = mountPage(TelephoneCamera, desk, { draftId });
  await buttonOf(wrapper, 'Mit dem Telefon fotografieren').trigger('click');
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
  return begin;
}
const shows = (text: string) => vi.waitFor(() => expect(dialog()?.textContent).toContain(text));
const closed = () => vi.waitFor(() => expect(dialog()).toBeNull());

test('the session of another report is neither shown nor ended without a question', async () => {
  state = sessionOf(otherId);
  const end = vi.spyOn(desk.handlers.telephone, 'end');
  const begin = await openDialog();
  await shows('Ein Telefon fotografiert gerade für einen anderen Bericht.');
  expect(dialog()?.querySelector('svg.code')).toBeNull();
  expect(begin).not.toHaveBeenCalled();
  press('Schliessen');
  await closed();
  expect(end).not.toHaveBeenCalled();
});

test('a new code ends the session of another report once the user asks for it', async () => {
  state = sessionOf(otherId);
  const begin = await openDialog();
  await shows('Ein Telefon fotografiert gerade für einen anderen Bericht.');
  press('Neuen Code zeigen');
  await vi.waitFor(() => expect(dialog()?.querySelector('svg.code')).not.toBeNull());
  expect(begin.mock.lastCall?.[0]).toEqual({ draftId, address: null });
});

test('a way from a case shows the code at once, and only once', async () => {
  const begin = vi.spyOn(desk.handlers.telephone, 'begin');
  const { router } = mountPage(TelephoneCamera, desk, { draftId });
  await router.push({ name: 'report', params: { draftId }, query: { telephone: '1' } });
  await vi.waitFor(() => expect(begin).toHaveBeenCalledOnce());
  await shows('Noch kein Telefon verbunden.');
  expect(router.currentRoute.value.query).toEqual({});
});

test('the dialog stays until the session has ended', async () => {
  desk.handlers.telephone.end = () => {
    throw new DeskError('disk_full');
  };
  await openDialog();
  await shows('Noch kein Telefon verbunden.');
  press('Beenden');
  await vi.waitFor(() => expect(dialog()?.querySelector('[role=alert]')).not.toBeNull());
  desk.handlers.telephone.end = () => (state = { session: null, networks, obstacle: null });
  press('Beenden');
  await closed();
});

test('says that the telephone cannot be asked for', async () => {
  desk.handlers.telephone.state = () => {
    throw new DeskError('disk_full');
  };
  await openDialog();
  await vi.waitFor(() => expect(dialog()?.querySelector('[role=alert]')).not.toBeNull());
});

test('shows no code for an address that this device no longer has', async () => {
  state = sessionOf(draftId, false);
  const begin = await openDialog();
  await shows('Dieses Gerät hat die Adresse 192.168.1.5 nicht mehr');
  expect(dialog()?.querySelector('svg.code')).toBeNull();
  press('Neuen Code zeigen');
  await vi.waitFor(() => expect(begin.mock.lastCall?.[0]).toEqual({ draftId, address: null }));
});
