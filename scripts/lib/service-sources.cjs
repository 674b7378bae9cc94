/** What the bundle of the service is made from; another content of them makes it stale. */
exports.serviceSources = [
  'main/service',
  'shared',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
];
