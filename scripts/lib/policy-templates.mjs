import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { policyLeaves, policySchema } from '../../main/engine/policy-schema.ts';
import { policyHelp, policyTexts } from '../../shared/i18n/catalogue.ts';
import { windowsLanguages } from '../../shared/i18n/language.ts';

const namespace = 'http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions';
const key = 'Software\\Policies\\AppraiserDesk';

const xml = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Returns a policy's name for ADMX, in which names must not contain a dot. */
const idOf = (name) => name.replaceAll('.', '_');

/**
 * Returns the Windows template, which says which registry value each policy writes.
 *
 * @returns {string}
 */
export function admx() {
  const policies = policyLeaves().map(admxPolicy).join('\n');
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions xmlns="${namespace}" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="appraiserdesk" namespace="AppraiserDesk.Policies" />
    <using prefix="windows" namespace="Microsoft.Policies.Windows" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <categories>
    <category name="AppraiserDesk" displayName="$(string.category)" explainText="$(string.category_help)" />
  </categories>
  <policies>
${policies}
  </policies>
</policyDefinitions>
`;
}

function admxPolicy(leaf) {
  const id = idOf(leaf.name);
  const needsElement = leaf.kind !== 'boolean';
  const attributes = [
    `name="${id}"`,
    'class="Machine"',
    `displayName="$(string.${id})"`,
    `explainText="$(string.${id}_help)"`,
    ...(needsElement ? [`presentation="$(presentation.${id})"`] : []),
    `key="${key}"`,
    ...(needsElement ? [] : [`valueName="${leaf.name}"`]),
  ].join(' ');
  const values = needsElement
    ? `      <elements>
        ${admxElement(leaf)}
      </elements>`
    : `      <enabledValue><decimal value="1" /></enabledValue>
      <disabledValue><decimal value="0" /></disabledValue>`;
  return `    <policy ${attributes}>
      <parentCategory ref="AppraiserDesk" />
      <supportedOn ref="windows:SUPPORTED_Windows_10_0" />
${values}
    </policy>`;
}

function admxElement({ name, kind, choices, min, max }) {
  const id = idOf(name);
  switch (kind) {
    case 'number':
      return `<decimal id="${id}" valueName="${name}" required="true" minValue="${min}" maxValue="${max}" />`;
    case 'list':
      return `<list id="${id}" key="${key}\\${name}" valuePrefix="" />`;
    case 'map':
      return `<list id="${id}" key="${key}\\${name}" explicitValue="true" />`;
    case 'choice': {
      const items = choices.map(
        (choice) =>
          `<item displayName="$(string.${id}_${choice})"><value><string>${choice}</string></value></item>`,
      );
      return `<enum id="${id}" valueName="${name}" required="true">${items.join('')}</enum>`;
    }
    default:
      return `<text id="${id}" valueName="${name}" required="true" maxLength="2000" />`;
  }
}

/**
 * Returns the template's texts in one language.
 *
 * @param {keyof typeof policyTexts} language
 * @returns {string}
 */
export function adml(language) {
  const texts = policyTexts[language];
  const strings = [
    ['category', 'Appraiser Desk'],
    ['category_help', policyHelp[language]],
    ...policyLeaves().flatMap(({ name, choices, kind }) => [
      [idOf(name), texts[name].title],
      [`${idOf(name)}_help`, texts[name].text],
      ...(kind === 'choice' ? choices.map((choice) => [`${idOf(name)}_${choice}`, choice]) : []),
    ]),
  ];
  const presentations = policyLeaves()
    .filter(({ kind }) => kind !== 'boolean')
    .map((leaf) => presentation(leaf, texts[leaf.name].title));
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitionResources xmlns="${namespace}" revision="1.0" schemaVersion="1.0">
  <displayName>Appraiser Desk</displayName>
  <description>${xml(policyHelp[language])}</description>
  <resources>
    <stringTable>
${strings.map(([id, text]) => `      <string id="${id}">${xml(text)}</string>`).join('\n')}
    </stringTable>
    <presentationTable>
${presentations.join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}

function presentation({ name, kind, min }, title) {
  const id = idOf(name);
  const label = xml(title);
  const element = {
    number: `<decimalTextBox refId="${id}" defaultValue="${min}">${label}</decimalTextBox>`,
    list: `<listBox refId="${id}">${label}</listBox>`,
    map: `<listBox refId="${id}">${label}</listBox>`,
    choice: `<dropdownList refId="${id}" noSort="true">${label}</dropdownList>`,
    text: `<textBox refId="${id}"><label>${label}</label></textBox>`,
  }[kind];
  return `      <presentation id="${id}">${element}</presentation>`;
}

/**
 * Returns the description as JSON Schema. macOS management tools make a form from it (for example
 * Jamf's custom schema), and an editor checks the policy file against it.
 *
 * @returns {string}
 */
export function jsonSchema() {
  const schema = z.toJSONSchema(policySchema, { target: 'draft-7', io: 'input' });
  describe('', schema);
  const title = 'Appraiser Desk (ch.appraiserdesk.desk)';
  return `${JSON.stringify({ ...schema, title, description: policyHelp.en }, null, 2)}\n`;
}

function describe(name, node) {
  const text = policyTexts.en[name];
  if (text) Object.assign(node, { title: text.title, description: text.text });
  else
    for (const [member, child] of Object.entries(node.properties ?? {}))
      describe(name === '' ? member : `${name}.${member}`, child);
}

/**
 * Returns the documentation's table of all values as Markdown.
 *
 * @returns {string}
 */
export function policyTable() {
  const rows = policyLeaves().map(({ name, kind, choices, min, max }) => {
    const values = {
      text: 'text',
      list: 'list of texts',
      boolean: '`true`, `false`',
      number: `whole number, ${min} to ${max}`,
      choice: choices.map((choice) => `\`${choice}\``).join(', '),
      map: `text by ${choices.length} names: ${choices.map((choice) => `\`${choice}\``).join(', ')}`,
    }[kind];
    const { title, text } = policyTexts.en[name];
    return `| \`${name}\` | ${values} | **${title}.** ${text} |`;
  });
  const table = ['| value | takes | what it does |', '| --- | --- | --- |', ...rows].join('\n');
  return `<!-- prettier-ignore-start -->\n${table}\n<!-- prettier-ignore-end -->`;
}

const tableStart = '<!-- made by scripts/policy.mjs: start -->';
const tableEnd = '<!-- made by scripts/policy.mjs: end -->';

/**
 * Returns the documentation page with its table replaced.
 *
 * @param {string} page
 * @returns {string}
 */
export function withTable(page) {
  const start = page.indexOf(tableStart) + tableStart.length;
  return `${page.slice(0, start)}\n\n${policyTable()}\n\n${page.slice(page.indexOf(tableEnd))}`;
}

/** Returns every file that is made from the schema, by its path in the project's folder. */
export function policyFiles() {
  return {
    'dist/policy/AppraiserDesk.admx': admx(),
    ...Object.fromEntries(
      Object.entries(windowsLanguages).map(([language, folder]) => [
        `dist/policy/${folder}/AppraiserDesk.adml`,
        adml(language),
      ]),
    ),
    'dist/policy/appraiser-desk.schema.json': jsonSchema(),
  };
}

/**
 * Writes the templates next to the packages.
 *
 * @param {string} root
 */
export function writePolicyFiles(root) {
  for (const [path, text] of Object.entries(policyFiles())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
