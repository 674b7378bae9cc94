import { chmodSync, statSync } from 'node:fs';

/** The rights of the group and of all others to add, rename and remove files of a folder. */
const writeOfOthers = 0o022;
/** In such a folder, like /tmp, a file is renamed and removed by its owner only. */
const sticky = 0o1000;

/**
 * Takes from all other users the right to replace files in a home that existed before. The files
 * themselves are readable by their owner only, but the settings decide to whom work is sent.
 */
export function closeToOthers(home: string): void {
  const { mode, uid } = statSync(home);
  const isOpen = (mode & writeOfOthers) !== 0 && (mode & sticky) === 0;
  // Windows has no such rights. Only the owner can change them.
  if (isOpen && uid === process.getuid?.()) chmodSync(home, mode & 0o7777 & ~writeOfOthers);
}
