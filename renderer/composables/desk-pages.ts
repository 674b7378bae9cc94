import {
  mdiAccountCheckOutline,
  mdiChartBar,
  mdiCogOutline,
  mdiConnection,
  mdiDatabaseOutline,
  mdiFolderTextOutline,
  mdiFolderUploadOutline,
  mdiHelpCircleOutline,
  mdiInformationOutline,
  mdiLifebuoy,
  mdiPaletteOutline,
  mdiSchoolOutline,
  mdiShieldAccountOutline,
  mdiFileWordOutline,
  mdiTextBoxMultipleOutline,
  mdiTrayArrowUp,
  mdiWeatherSunsetUp,
} from '@mdi/js';
import { useMutationObserver } from '@vueuse/core';
import { nextTick } from 'vue';
import { type RouteLocationRaw, useRouter } from 'vue-router';
import type { MessageKey } from '#shared/i18n/texts.ts';

export interface DeskPage {
  /** Name of its route. */
  readonly name: string;
  readonly icon: string;
  readonly title: MessageKey;
  /** Routes that belong to it too. */
  readonly also?: readonly string[];
}

const allPages: readonly DeskPage[] = [
  { name: 'today', icon: mdiWeatherSunsetUp, title: 'nav.today' },
  { name: 'cases', icon: mdiFolderTextOutline, title: 'nav.cases', also: ['case'] },
  { name: 'queue', icon: mdiTrayArrowUp, title: 'nav.queue', also: ['report', 'photos'] },
  { name: 'batch', icon: mdiFolderUploadOutline, title: 'nav.batch' },
  { name: 'insights', icon: mdiChartBar, title: 'nav.insights' },
  { name: 'practice', icon: mdiSchoolOutline, title: 'nav.practice' },
  { name: 'settings', icon: mdiCogOutline, title: 'nav.settings' },
  { name: 'help', icon: mdiHelpCircleOutline, title: 'start.help' },
];

/**
 * The pages of the navigation in their order.
 * @param practice whether the practice workspace is open
 */
export function deskPages(practice: boolean): readonly DeskPage[] {
  return allPages.filter(({ name }) => practice || name !== 'practice');
}

/** The parts of the settings, in their order. */
export const settingsSections = [
  { name: 'connection', icon: mdiConnection },
  { name: 'appearance', icon: mdiPaletteOutline },
  { name: 'own', icon: mdiAccountCheckOutline },
  { name: 'texts', icon: mdiTextBoxMultipleOutline },
  { name: 'templates', icon: mdiFileWordOutline },
  { name: 'storage', icon: mdiDatabaseOutline },
  { name: 'backup', icon: mdiLifebuoy },
  { name: 'policy', icon: mdiShieldAccountOutline },
  { name: 'about', icon: mdiInformationOutline },
] as const;

/** A line of the command palette. */
export interface PaletteItem {
  readonly id: string;
  readonly group: 'pages' | 'actions' | 'cases' | 'texts';
  readonly icon: string;
  readonly title: string;
  readonly detail?: string;
  readonly keys?: string;
  run(): void;
}

let stopWaiting: (() => void) | null = null;

/**
 * Shows a page that was chosen by a key or by name. Its heading gets the focus as soon as it is
 * there, unless the user has put the focus elsewhere in the meantime.
 */
export function useGo(): (to: RouteLocationRaw) => Promise<void> {
  const router = useRouter();
  return async (to) => {
    stopWaiting?.();
    const before = document.activeElement;
    await router.push(to);
    await nextTick();
    const focus = () => {
      const now = document.activeElement;
      const hasMoved = now !== before && now !== document.body && now !== null;
      const heading = document.querySelector<HTMLElement>('#content h1');
      if (!hasMoved && !heading) return;
      stopWaiting?.();
      if (hasMoved || !heading) return;
      heading.tabIndex = -1;
      heading.focus();
    };
    const { stop } = useMutationObserver(document.getElementById('content'), focus, {
      ...{ childList: true, subtree: true },
    });
    stopWaiting = stop;
    focus();
  };
}
