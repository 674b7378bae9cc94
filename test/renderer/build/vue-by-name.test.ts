import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vue from 'vue';
import { expect, test } from 'vitest';
import { withoutNamespace } from '#renderer/vue-by-name.ts';

const installed = readFileSync(
  join(process.cwd(), 'node_modules/@vuetify/v0/dist/utilities/instance.mjs'),
  'utf8',
);

test('what Vuetify looks for in all of Vue is not in this Vue, and is asked for by name', () => {
  expect(vue).not.toHaveProperty('currentInstance');
  expect(installed).toContain('import * as Vue');
  const code = withoutNamespace(installed);
  expect(code).not.toContain('* as');
  expect(code).toMatch(
    /import \{ getCurrentInstance \} from "vue";[^]*return getCurrentInstance\(\);/,
  );
});

test('another use of all of Vue stops the build', () => {
  expect(() => withoutNamespace(`${installed}\nexport const all = Object.keys(Vue);`)).toThrow(
    /not known/,
  );
});
