import { spawnSync } from 'node:child_process';

/**
 * Returns the files of a checkout that its branch or its user changed, compared with the commit at
 * which the branch left `main`. It is null if there is no such commit, for example in a copy
 * without its history.
 *
 * @param {string} root
 * @param {string} pattern a pattern of paths, for example `*.vue`
 * @returns {string[] | null} paths from the root
 */
export function changedFiles(root, pattern) {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.split('\n').filter((line) => line !== '') : null;
  };
  const [base] = ['origin/HEAD', 'origin/main', 'main'].flatMap(
    (main) => git('merge-base', 'HEAD', main) ?? [],
  );
  if (base === undefined) return null;
  const changed = git('diff', '--name-only', '--diff-filter=d', '--relative', base, '--', pattern);
  const added = git('ls-files', '--others', '--exclude-standard', '--', pattern);
  return changed === null || added === null ? null : [...changed, ...added];
}
