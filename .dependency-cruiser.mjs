/**
 * Who may import whom (docs/architecture.md). `test/imports.test.ts` proves that each rule bites.
 */
const no = (name, from, to) => ({ name, severity: 'error', from, to });
const path = (from, not) => (not ? { path: from, pathNot: not } : { path: from });

/** The engine from the bottom to the top: each imports only what stands before it. */
export const engineOrder = [
  'disk/',
  'database/',
  'threads/',
  'policy-schema.ts',
  'keys/',
  'blobs/',
  'readable/',
  'photos/',
  'work/',
  'home/',
  'cache/',
  'ledger/',
  'sync/',
  'sheets/',
  'document-text/',
  'engine.ts',
  'backup/',
  'workspace/',
  'cases/',
  'telephone/',
  'templates/',
  'batch/',
  'export/',
  'diagnostics/',
  'calls/',
  'door.ts',
  'event-hub.ts',
  'open-engine.ts',
];
const inEngine = (...places) =>
  `^main/engine/(${places.map((place) => place.replace('.', '\\.')).join('|')})`;
/** The rule that a folder or file of the engine imports nothing that stands after it. */
export const orderRule = (place) => `engine-order-${place.replace(/\/$/, '')}`;
const engineOrderRules = engineOrder
  .slice(0, -1)
  .map((place, at) =>
    no(orderRule(place), path(inEngine(place)), path(inEngine(...engineOrder.slice(at + 1)))),
  );

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    no('no-circular', path('^(shared|main|renderer)/'), { circular: true }),
    no('shared-alone', path('^shared/'), { path: '^(main|renderer|test|scripts)/' }),
    no('shared-runs-anywhere', path('^shared/'), { dependencyTypes: ['core'] }),
    no('source-never-imports-test', path('^(shared|main|renderer)/'), { path: '^test/' }),

    no('renderer-never-main', path('^renderer/'), { path: '^main/' }),
    no('main-never-renderer', path('^main/'), { path: '^renderer/' }),
    no('pages-not-transport', path('^renderer/pages/'), { path: '^renderer/transport/' }),
    no('components-know-nothing', path('^renderer/components/'), {
      path: '^renderer/(stores|transport|pages)/',
    }),
    no('stores-not-views', path('^renderer/stores/'), { path: '^renderer/(pages|components)/' }),

    no('work-alone', path('^main/engine/work/'), {
      path: '^main/(partner|engine/(keys|cache|sync|engine|open-engine))',
    }),
    no('cache-alone', path('^main/engine/cache/'), {
      path: '^main/(partner|engine/(keys|work|sync|engine|open-engine))',
    }),
    no('partner-alone', path('^main/partner/'), {
      path: '^main/',
      pathNot: '^main/(partner/|log/long-work\\.ts$)',
    }),
    no('keys-alone', path('^main/engine/keys/'), {
      path: '^main/(partner|engine/(cache|work|sync|blobs|engine|open-engine))',
    }),
    no('blobs-alone', path('^main/engine/blobs/'), {
      path: '^main/(partner|engine/(keys|cache|work|sync|engine|open-engine))',
    }),
    no('sync-not-keys', path('^main/engine/sync/'), {
      path: '^main/engine/(keys|engine|open-engine)',
    }),
    ...engineOrderRules,
    no(
      'calls-from-open-engine-only',
      path('^(shared|main|renderer)/', '^main/engine/(calls/|open-engine\\.ts$)'),
      { path: '^main/engine/calls/' },
    ),
    no('engine-knows-no-shell', path('^main/(engine|partner)/'), {
      path: '^main/(bridge|browser|cli|electron|service|gateway|front)/|(^|/)node_modules/(electron|fastify|vue)/',
    }),

    no('log-alone', path('^main/log/'), { path: '^main/', pathNot: '^main/log/' }),
    no('service-alone', path('^main/service/'), {
      path: '^main/(engine|partner|bridge|browser|cli|electron|gateway)/',
    }),
    no('front-alone', path('^main/front/'), {
      path: '^main/',
      pathNot: '^main/front/',
    }),
    no('gateway-front-and-partner-only', path('^main/gateway/'), {
      path: '^main/',
      pathNot: '^main/((gateway|front|partner)/|log/long-work\\.ts$)',
    }),
    no('bridge-sees-the-engine-type', path('^main/bridge/'), {
      path: '^main/',
      pathNot: '^main/(bridge/|log/|engine/engine\\.ts$)',
    }),
    no('browser-not-other-shells', path('^main/browser/'), { path: '^main/(cli|electron)/' }),
    no('cli-not-other-shells', path('^main/cli/'), { path: '^main/(browser|electron)/' }),
    no('electron-not-other-shells', path('^main/electron/'), { path: '^main/(browser|cli)/' }),
    no('electron-in-its-shell-only', path('^(shared|main|renderer)/', '^main/electron/'), {
      path: '(^|/)node_modules/electron/|^electron$',
    }),
    // CONTRIBUTING, "Dependencies": entries of threads are bundled with what they import.
    no(
      'main-runs-without-dev',
      path(
        '^(main|shared)/',
        '-worker\\.ts$|^main/engine/readable/(?:check-[a-z]+|pdf-(?:answers|forms|pictures|xfa))\\.ts$|^main/engine/sheets/read-xlsx\\.ts$|^shared/photos/read-exif\\.ts$|^shared/lib/(?:html-text|read-message)\\.ts$|^shared/pdf/|^main/engine/templates/(?:docx|one-pdf)/',
      ),
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'electron' },
    ),
    no('preload-contract-only', path('^main/electron/preload'), {
      path: '.',
      pathNot: '^shared/desk/|(^|/)node_modules/electron/|^electron$',
    }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.vue', '.json'],
    },
  },
};
