import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHelp, sectionsOf } from '../../renderer/lib/help/read-help.ts';
import { loadWindowTexts, words } from '../../shared/i18n/catalogue.ts';
import { languages } from '../../shared/i18n/language.ts';
import { texts } from './report-template-texts.mjs';
import {
  example,
  facts,
  footer,
  header,
  heading,
  makeDocx,
  money,
  paragraph,
  photoTable,
  rows,
  signature,
  title,
  when,
} from './word-layout.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Makes every template that comes with the desk, with its file name. */
export async function makeTemplates() {
  const made = [];
  for (const language of languages) {
    const window = await loadWindowTexts[language]();
    const say = { ...window, ...texts[language], titles: words[language].suppliedTemplates };
    made.push({ fileName: `examples.${language}.docx`, bytes: examples(language, say) });
    for (const [category, body] of Object.entries(bodies))
      made.push({
        fileName: `report.${category}.${language}.docx`,
        bytes: makeDocx({
          language,
          body: body(say).join(''),
          header: header(),
          footer: footer(say.page),
          title: say.titles[category],
        }),
      });
  }
  return made;
}

/**
 * Makes a template with the examples of the pages about templates, from which the user can copy
 * them.
 */
function examples(language, say) {
  const page = join(root, `docs/templates${language === 'en' ? '' : `.${language}`}.md`);
  const body = sectionsOf(readHelp(readFileSync(page, 'utf8'))).flatMap(
    ({ title: name, blocks }) => {
      const written = blocks.flatMap(({ rows: lines = [] }) =>
        lines.filter(([, how]) => how.includes('{')).map((line) => example(line)),
      );
      return written.length === 0 ? [] : [heading(name), ...written];
    },
  );
  return makeDocx({
    language,
    body: title(say.titles.examples, '{case.key}') + body.join(''),
    header: header(),
    footer: footer(say.page),
    title: say.titles.examples,
  });
}

const bodies = {
  vehicle: (say) => [
    title(say.titles.vehicle, '{party.name}{#vehicle.plate} · {vehicle.plate}{/vehicle.plate}'),
    facts(orderFacts(say, true)),
    heading(say.templates.sections.vehicle),
    facts([
      [say.makeAndModel, '{vehicle.make} {vehicle.model}'],
      [say.labels.fields.licensePlate, '{vehicle.plate}'],
      [say.labels.fields.vin, '{vehicle.vin}'],
      [say.labels.fields.firstRegistration, '{vehicle.firstRegistration}'],
    ]),
    heading(say.templates.sections.party),
    facts(partyFacts(say)),
    ...damage(say),
    ...nameAndAddress(say, 'workshop'),
    ...assessment(say),
    ...photos(say),
    signature(say),
  ],
  appraiser: (say) => [
    title(say.titles.appraiser, '{party.name}{#place} · {place}{/place}'),
    facts(orderFacts(say, true)),
    heading(say.labels.sections.location),
    paragraph('{location.address}'),
    heading(say.templates.sections.party),
    facts(partyFacts(say)),
    ...nameAndAddress(say, 'counterparty'),
    ...damage(say),
    ...assessment(say),
    ...photos(say),
    signature(say),
  ],
  special: (say) => [
    title(say.titles.special, '{machineType}{#place} · {place}{/place}'),
    facts(orderFacts(say, true)),
    heading(say.labels.sections.machine),
    facts([
      [say.labels.fields.machineCategory, '{machineCategory}'],
      [say.labels.fields.machineType, '{machineType}'],
    ]),
    heading(say.labels.sections.location),
    paragraph('{location.address}'),
    heading(say.templates.sections.party),
    facts(partyFacts(say)),
    ...vehicleOf(say, 'insured', say.labels.sections.insuredVehicle),
    ...nameAndAddress(say, 'counterparty'),
    ...damage(say),
    ...nameAndAddress(say, 'workshop'),
    ...assessment(say),
    ...photos(say),
    signature(say),
  ],
  fraud: (say) => [
    title(
      say.titles.fraud,
      '{insured.name}{#counterparty.name} · {counterparty.name}{/counterparty.name}',
    ),
    facts([
      ...orderFacts(say, false),
      [say.labels.fields.incidentTime, '{incidentTime}'],
      [say.labels.sections.location, '{location.address}'],
    ]),
    ...when('supportRequest', [
      heading(say.labels.fields.supportRequest),
      paragraph('{supportRequest}'),
    ]),
    heading(say.templates.sections.persons),
    rows(
      'persons',
      [
        say.labels.fields.name,
        say.labels.fields.address,
        say.templates.fields.side,
        say.labels.fields.driverAtIncident,
      ],
      ['{name}', '{address}', '{side}', '{driverAtIncident}'],
    ),
    ...vehicleOf(say, 'insured', say.labels.sections.insuredVehicle),
    ...vehicleOf(say, 'counterparty', say.labels.sections.counterpartyVehicle),
    ...damage(say),
    ...assessment(say),
    ...photos(say),
    signature(say),
  ],
};

/** Returns the facts about the order. @param visited whether the category has an inspection */
function orderFacts(say, visited) {
  return [
    [say.columns.externalKey, '{case.key}'],
    [say.labels.fields.policyNumber, '{policyNumber}'],
    [say.columns.insurer, '{insurer.name}'],
    [say.columns.responsible, '{insurer.responsible}'],
    [say.labels.fields.incidentDate, '{incidentDate}'],
    [say.labels.fields.claimInsurance, '{claimInsurance}'],
    ...(visited
      ? [
          [say.labels.fields.inspectionDate, '{inspectionDate}'],
          [say.labels.fields.inspectionType, '{inspectionType}'],
        ]
      : []),
  ];
}

function partyFacts(say) {
  const { name, address, phone, email } = say.labels.fields;
  return [
    [name, '{party.name}'],
    [address, '{party.address}'],
    [phone, '{party.phone}'],
    [email, '{party.email}'],
  ];
}

const vehicleOf = (say, side, name) =>
  when(`${side}.licensePlate`, [
    heading(name),
    facts([
      [say.makeAndModel, `{${side}.carMake} {${side}.carModel}`],
      [say.labels.fields.licensePlate, `{${side}.licensePlate}`],
      [say.labels.fields.vin, `{${side}.vin}`],
      [say.labels.fields.firstRegistration, `{${side}.firstRegistration}`],
    ]),
  ]);

const nameAndAddress = (say, who) =>
  when(`${who}.name`, [
    heading(say.labels.sections[who]),
    paragraph(`{${who}.name}{#${who}.address}, {${who}.address}{/${who}.address}`),
  ]);

const damage = (say) =>
  when('damageDescription', [
    heading(say.labels.fields.damageDescription),
    paragraph('{damageDescription}'),
  ]);

function assessment(say) {
  return [
    ...when('case.comment', [heading(say.assessment), paragraph('{case.comment}')]),
    heading(say.templates.sections.amounts),
    money([
      [say.labels.fields.estimatedAmount, '{estimatedAmount}'],
      [say.columns.costEstimateRappen, '{amounts.estimate}'],
      [say.columns.approvedRappen, '{amounts.approved}', 'total'],
    ]),
    ...when('hasChecklist', [
      heading(say.templates.sections.checklist),
      rows(
        'checklist',
        [say.templates.fields.entry, say.templates.fields.answer],
        ['{entry}', '{answer}'],
        [75, 25],
      ),
    ]),
  ];
}

const photos = (say) => when('hasPhotos', [heading(say.templates.sections.photos), photoTable()]);
