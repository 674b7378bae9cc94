import {
  mdiConnection,
  mdiDatabaseOutline,
  mdiInformationOutline,
  mdiLifebuoy,
  mdiPaletteOutline,
  mdiShieldAccountOutline,
} from '@mdi/js';

/** The parts of the settings, in their order. */
export const settingsSections = [
  { name: 'connection', icon: mdiConnection },
  { name: 'appearance', icon: mdiPaletteOutline },
  { name: 'storage', icon: mdiDatabaseOutline },
  { name: 'backup', icon: mdiLifebuoy },
  { name: 'policy', icon: mdiShieldAccountOutline },
  { name: 'about', icon: mdiInformationOutline },
] as const;
