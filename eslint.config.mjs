import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import vue from 'eslint-plugin-vue';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/**
 * The files of Vue whose scripts are looked at with their types: all, or those that `npm test` names,
 * because it takes ten times as long as everything else here.
 */
const named = process.env.LINT_TYPES_OF;
const typed = named === undefined ? ['**/*.vue'] : named.split('\n').filter((path) => path !== '');

const needsTypes = (name) => tseslint.plugin.rules[name]?.meta.docs.requiresTypeChecking === true;

/** Rules of a list of configurations that need types. All others are oxlint's, in Vue's files too. */
const typedRules = (configs) =>
  Object.fromEntries(
    configs
      .flatMap(({ rules = {} }) => Object.entries(rules))
      .filter(([name]) => needsTypes(name.replace('@typescript-eslint/', ''))),
  );

/**
 * For plain scripts, and for what oxlint (.oxlintrc.json), which is far quicker, cannot do in Vue's
 * files: templates and types.
 */
export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'test-results/**', 'playwright-report/**', '**/*.ts'] },
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.vue'],
    languageOptions: {
      parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.vue'] },
      globals: globals.browser,
    },
    // A word for oxlint is not for this one, and the other way round.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      // The compiler says it (noImplicitReturns), and knows a switch that has every case.
      'vue/return-in-computed-property': 'off',
      // What oxlint leaves out in Vue's files, because it does not read what the template uses.
      'no-unassigned-vars': 'error',
      'no-useless-assignment': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  ...(typed.length === 0
    ? []
    : [
        {
          files: typed,
          languageOptions: {
            parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
          },
          rules: {
            ...typedRules([
              ...tseslint.configs.strictTypeChecked,
              ...tseslint.configs.stylisticTypeChecked,
            ]),
            '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
            '@typescript-eslint/no-confusing-void-expression': [
              'error',
              { ignoreArrowShorthand: true },
            ],
          },
        },
      ]),
  {
    files: ['**/*.mjs'],
    extends: [js.configs.recommended, ...tseslint.configs.strict, ...tseslint.configs.stylistic],
    languageOptions: { globals: globals.node },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  prettier,
);
