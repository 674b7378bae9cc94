import { noLedger } from '#shared/desk/delivery/ledger-counts.ts';
import { computed, nextTick, shallowRef } from 'vue';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { SyncStatus } from '#shared/desk/delivery/sync.ts';
import ClosingSafe from '#renderer/components/frame/ClosingSafe.vue';
import NavRail from '#renderer/components/frame/NavRail.vue';
import ShortcutsDialog from '#renderer/components/frame/ShortcutsDialog.vue';
import StatusBar from '#renderer/pages/StatusBar.vue';
import PracticeBanner from '#renderer/pages/PracticeBanner.vue';
import { deskPages } from '#renderer/composables/desk-pages.ts';
import { presentMs } from '#renderer/lib/present.ts';
import { useDeskStore } from '#renderer/stores/desk-store.ts';
import { useSyncStore } from '#renderer/stores/sync-store.ts';
import { useUnsavedStore } from '#renderer/stores/unsaved-store.ts';
import { syncStatus } from '../../support/desk-records.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage, buttonOf } from '../fixtures/mount-page.ts';

const fetching: Partial<SyncStatus> = {
  phase: 'fetching',
  fetched: 12,
  fetchTotal: 1240,
  remainingMs: 170_000,
  casesOnLaptop: 60,
};
/** The status bar of a desk that is at this. */
async function mountBar(part: Partial<SyncStatus>, workspace = true) {
  const desk = createDesk({ count: 1 });
  useSyncStore(desk.pinia).status = syncStatus({ ...fetching, ...part });
  if (workspace) await useDeskStore(desk.pinia).load();
  return mountPage(StatusBar, desk).wrapper;
}

test.each([
  [{}, 'Dokumente: Fall 12 von 1’240, Ende noch nicht bekannt'],
  [{ fetchDoneAt: '2026-03-09T08:03:00Z' }, 'Dokumente: Fall 12 von 1’240, bald fertig'],
  [{ fetchTotal: 0, fetched: 0, remainingMs: null }, 'Dokumente werden geladen'],
  [
    { phase: 'pulling', pulled: 50, pullTotal: 8000, remainingMs: 60_000 },
    'Fälle werden geladen: 50 von 8’000, noch mindestens 60 Sekunden',
  ],
  [
    { phase: 'pulling', pulled: 50, pullTotal: 8000, remainingMs: 3_000 },
    'Fälle werden geladen: 50 von 8’000',
  ],
  [{ phase: 'delivering', remainingMs: null }, 'Noch nie synchronisiert'],
  [
    {
      phase: 'delivering',
      remainingMs: null,
      delivery: { ...syncStatus().delivery, done: 1, total: 3, goesOut: 2, awaits: 4 },
    },
    '1 von 3 zugestellt, Zeitpunkt noch nicht bekannt',
  ],
  [{ phase: 'idle', remainingMs: null }, 'Noch nie synchronisiert'],
] as const)('the status bar shows how far it is: %j', async (part, words) => {
  const wrapper = await mountBar(part);
  expect(wrapper.get('.shrink').text()).toBe(words);
});

test('a wrong clock is named in the status bar, and the window counts by the insurer’s', async () => {
  const offsetMs = 3 * 24 * 60 * 60_000;
  const wrapper = await mountBar({ clock: { offsetMs, source: 'answer' } });
  expect(wrapper.get('.clock').text()).toBe(
    'Die Uhr dieses Geräts geht 3 Tage nach; es gilt die Zeit des Versicherers, bis Sie die Uhr auf automatisch stellen.',
  );
  expect(presentMs(1000)).toBe(1000 + offsetMs);
  const right = await mountBar({});
  expect(right.find('.clock').exists()).toBe(false);
  expect(presentMs(1000)).toBe(1000);
});

test.each([
  [true, 0, 'Sie können schliessen'],
  [true, 1, 'Sie können schliessen'],
  [false, 0, 'Sie können schliessen'],
  [false, 1, 'Noch nicht schliessen'],
])('a workspace that is stored (%s), with %i entries that wait: %s', (isStored, waiting, words) => {
  const { unfinished } = syncStatus({ waiting });
  const facts = { isStored, unfinished, unsaved: false, adding: false };
  const { wrapper } = mountPage(ClosingSafe, createDesk({ count: 1 }), { facts });
  expect(wrapper.get('button').text()).toBe(words);
});

test('no window calls it safe to close while files are added in another one', async () => {
  const desk = createDesk({ count: 1 });
  const other = desk.openWindow();
  const isAdding = shallowRef(false);
  useUnsavedStore(other.pinia).addIntake(computed(() => isAdding.value));
  const [here] = [desk, other].map((window) => {
    useSyncStore(window.pinia).status = syncStatus({});
    return mountPage(StatusBar, window).wrapper;
  });
  expect(here?.text()).toContain('Sie können schliessen');
  isAdding.value = true;
  await vi.waitFor(() => expect(here?.text()).toContain('Noch nicht schliessen'));
  isAdding.value = false;
  await vi.waitFor(() => expect(here?.text()).toContain('Sie können schliessen'));
});

test('the status bar calls no outbox empty, because drafts may wait in it for the user', async () => {
  const counts = async (part: Partial<SyncStatus>) =>
    (await mountBar(part)).findAll('a').map((link) => link.text());
  expect(await counts({})).toEqual(['Nichts zu senden']);
  expect(await counts({ waiting: 2, attention: 1 })).toEqual(['1 zu klären', '2 zu senden']);
  const unfinished = { ...noLedger(), typed: 1, draft: 2, batch: 1, visit: 9 };
  expect(await counts({ unfinished })).toEqual(['4 angefangen']);
});

test('without a workspace nothing can be synchronized, and the title shows why', async () => {
  const wrapper = await mountBar({}, false);
  const button = buttonOf(wrapper, 'Jetzt synchronisieren');
  expect(button.element.disabled).toBe(true);
  expect(button.element.parentElement?.title).toContain('Keine Verbindung geöffnet');
});

test('practice is left out of the navigation if it is off', () => {
  const names = (practice: boolean) => {
    const pages = deskPages(practice);
    const { wrapper } = mountPage(NavRail, createDesk({ count: 1 }), {
      pages,
      unfinished: noLedger(),
      singleKeys: true,
    });
    return wrapper.findAll('a').map((link) => link.text());
  };
  expect(names(true)).toContain('Übung');
  expect(names(false)).not.toContain('Übung');
  expect(names(false)).toHaveLength(8);
});

test('the rail shows the key of the search, and opens it', async () => {
  const { wrapper } = mountPage(NavRail, createDesk({ count: 1 }), {
    pages: deskPages(false),
    unfinished: noLedger(),
  });
  expect(wrapper.findAll('kbd').map((key) => key.text())).toEqual(['Ctrl K']);
  await wrapper.get('button').trigger('click');
  expect(wrapper.emitted('palette')).toHaveLength(1);
});

test.each([
  [{ conflict: 1, waiting: 2 }, ['1 zu klären']],
  [{ waiting: 1, unclear: 1 }, ['2 zu senden']],
  [{ waiting: 2, draft: 1, typed: 1 }, ['2 zu senden', '2 angefangen']],
  [{ visit: 4 }, []],
])(
  'the rail shows of %j the first at the outbox, and what is begun at the close',
  (part, words) => {
    const { wrapper } = mountPage(NavRail, createDesk({ count: 1 }), {
      pages: deskPages(false),
      unfinished: { ...noLedger(), ...part },
    });
    expect(wrapper.findAll('.badge .sr-only').map((badge) => badge.text())).toEqual(words);
  },
);

test('the practice workspace states that its cases are made up, next to the way to real ones', async () => {
  const { wrapper } = mountPage(PracticeBanner, createDesk({ count: 1 }));
  expect(wrapper.text()).toContain('Das sind Beispielfälle');
  await wrapper.get('button').trigger('click');
  await vi.waitFor(() => expect(document.querySelector('form.wizard')).not.toBeNull());
});

test('the insurer is played only while the practice workspace is open', async () => {
  const { app, pinia, handlers, info } = createDesk({ count: 1 });
  const desk = app.runWithContext(() => useDeskStore(pinia));
  expect(desk.practises).toBe(false);
  await desk.load();
  expect(desk.practises).toBe(true);
  handlers.desk.info = () => ({
    ...info(),
    workspace: { ...info().workspace, kind: 'connection' },
  });
  await desk.load();
  expect(desk.practises).toBe(false);
});

test('whether practice is on comes with the desk, or from the error that no workspace exists', async () => {
  const { app, pinia, handlers, info } = createDesk({ count: 1 });
  const desk = app.runWithContext(() => useDeskStore(pinia));
  handlers.desk.info = () => ({ ...info(), practice: false });
  await desk.load();
  expect(desk.practice).toBe(false);
  handlers.desk.info = info;
  await desk.load();
  expect(desk.practice).toBe(true);
  handlers.desk.info = () => {
    throw new DeskError('no_connection');
  };
  await desk.load();
  expect(desk.practice).toBe(false);
});

test('the overview of shortcuts shows keys as they are on the keyboard', async () => {
  mountPage(ShortcutsDialog, createDesk({ count: 1 }), {
    modelValue: true,
    singleKeys: true,
  });
  await nextTick();
  const keys = [...document.querySelectorAll('kbd')].map((one) => one.textContent);
  for (const key of ['Ctrl K', 'Alt ↑', 'Shift ↓', 'Leertaste', '+', 'R', 'Esc'])
    expect(keys).toContain(key);
});

test('the status bar says in every window of what its moment is', async () => {
  const now = Date.parse('2026-03-09T08:00:00Z');
  vi.useFakeTimers({ now, toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const bar = await mountBar({ phase: 'idle', paused: true, lastSyncedAt: '2026-03-09T07:58:00Z' });
  const said = bar.findAll('.sentence > *').map((part) => part.text());
  expect(said).toContain('Synchronisiert: vor 2 Minuten');
  // Narrow windows leave out what is optional: "Versand angehalten, vor 2 Minuten" was not so.
  expect(bar.findAll('.sentence > * .optional')).toEqual([]);
});
