import { z } from 'zod';

/** When the desk installs an update: when the user chooses it now, or at the next start. */
export const installMoments = ['now', 'start'] as const;
export type InstallMoment = (typeof installMoments)[number];

/**
 * Who installs an update: the user is asked, the desk does it at its next start, IT does it, or the
 * package management of the system does it.
 */
export const updateInstallers = ['user', 'start', 'it', 'system'] as const;

/** A newer version that the update feed has. If the desk installs it, it is downloaded. */
export const deskUpdateSchema = z.object({
  version: z.string(),
  by: z.enum(updateInstallers),
  /** Whether its installation was tried and this is still the older version. */
  hasFailed: z.boolean(),
});
export type DeskUpdate = z.infer<typeof deskUpdateSchema>;
