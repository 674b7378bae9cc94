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
  mdiWeatherSunsetDown,
  mdiWeatherSunsetUp,
} from '@mdi/js';
import { useMutationObserver } from '@vueuse/core';
import { nextTick } from 'vue';
import { type RouteLocationRaw, useRouter } from 'vue-router';
import type { CaseHit } from '#shared/desk/cases/cases.ts';
import type { MessageKey } from '#shared/i18n/texts.ts';

export interface DeskPage {
  /** The name of the page's route. */
  readonly name: string;
  readonly icon: string;
  readonly title: MessageKey;
  /** The other routes that belong to the page. */
  readonly also?: readonly string[];
}

const allPages: readonly DeskPage[] = [
  { name: 'today', icon: mdiWeatherSunsetUp, title: 'nav.today' },
  {
    name: 'cases',
    icon: mdiFolderTextOutline,
    title: 'nav.cases',
    also: ['case', 'report', 'photos'],
  },
  { name: 'queue', icon: mdiTrayArrowUp, title: 'nav.queue' },
  { name: 'close', icon: mdiWeatherSunsetDown, title: 'nav.closeShort' },
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
  readonly group: 'pages' | 'actions' | 'cases' | 'texts' | 'help';
  readonly icon: string;
  readonly title: string;
  readonly detail?: string;
  /** Why a case was found, if its name, number and plate do not show it. */
  readonly hits?: readonly CaseHit[];
  readonly keys?: string;
  run(): void;
}

let stopWaiting: (() => void) | null = null;

/**
 * Shows a page that was chosen by a key or by name. The page's heading then gets the focus, unless
 * the user has moved the focus in the meantime.
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
      childList: true,
      subtree: true,
    });
    stopWaiting = stop;
    focus();
  };
}
