/*
 * The look of the templates that come with the desk, as WordprocessingML (ECMA-376). It uses A4,
 * one typeface that every office has, and one colour.
 */
import { strToU8, zipSync } from 'fflate';

const colour = '0F5873';
const pale = 'EEF3F5';
const grey = '5B6670';
const font = 'Arial';
/** The width between the margins of A4, in twentieths of a point. */
const width = 9638;

const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const spaces = `xmlns:w="${main}" xmlns:r="${office}"`;
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const run = (text, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
const styled = (style, content, properties = '') =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${properties}</w:pPr>${content}</w:p>`;

export const paragraph = (text) => styled('Normal', run(text));
export const title = (text, below) => styled('Title', run(text)) + styled('Subtitle', run(below));
export const heading = (text) => styled('Heading1', run(text));

/** Returns the parts with a condition: they are in the document only if a field has a value. */
export const when = (field, parts) => [
  styled('Condition', run(`{#${field}}`)),
  ...parts,
  styled('Condition', run(`{/${field}}`)),
];

const border = (side, size, of) =>
  `<w:${side} w:val="single" w:sz="${size}" w:space="0" w:color="${of}"/>`;
const cell = (share, content, properties = '') =>
  `<w:tc><w:tcPr><w:tcW w:w="${Math.round((width * share) / 100)}" w:type="dxa"/>${properties}</w:tcPr>${content}</w:tc>`;
const row = (cells, properties = '') =>
  `<w:tr><w:trPr><w:cantSplit/>${properties}</w:trPr>${cells.join('')}</w:tr>`;
const table = (shares, content, lines) =>
  `<w:tbl><w:tblPr><w:tblW w:w="${width}" w:type="dxa"/>${lines ? `<w:tblBorders>${border('insideH', 4, 'D5DDE1')}${border('bottom', 4, 'D5DDE1')}${border('top', 4, 'D5DDE1')}</w:tblBorders>` : ''}` +
  '<w:tblLayout w:type="fixed"/><w:tblCellMar><w:top w:w="50" w:type="dxa"/><w:left w:w="85" w:type="dxa"/><w:bottom w:w="50" w:type="dxa"/><w:right w:w="85" w:type="dxa"/></w:tblCellMar></w:tblPr>' +
  `<w:tblGrid>${shares.map((share) => `<w:gridCol w:w="${Math.round((width * share) / 100)}"/>`).join('')}</w:tblGrid>${content}</w:tbl>` +
  // Two tables become one if no paragraph is between them.
  styled('Gap', '');

const shaded = `<w:shd w:val="clear" w:color="auto" w:fill="${pale}"/>`;

/**
 * Returns a field that stands alone. A value that the case does not have becomes a dash, so that no
 * cell looks forgotten.
 */
const orDash = (value) => value.replace(/^\{([\w.]+)\}$/, '{$1 | default: "–"}');

/** A table of names and values, with two pairs in a row. */
export function facts(pairs) {
  const shares = [19, 31, 19, 31];
  const lines = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const cells = [pairs[at], pairs[at + 1] ?? ['', '']].flatMap(([name, value], place) => [
      cell(shares[place * 2], styled('Label', run(name)), shaded),
      cell(shares[place * 2 + 1], styled('Cell', run(orDash(value)))),
    ]);
    lines.push(row(cells));
  }
  return table(shares, lines.join(''), true);
}

/** A table of amounts, one below the other. The last amount is the one that counts. */
export function money(pairs) {
  const lines = pairs.map(([name, value, total]) =>
    row([
      cell(65, styled(total ? 'Total' : 'Cell', run(name)), total ? shaded : ''),
      cell(
        35,
        styled(total ? 'Total' : 'Cell', run(orDash(value)), '<w:jc w:val="right"/>'),
        total ? shaded : '',
      ),
    ]),
  );
  return table([65, 35], lines.join(''), true);
}

/** A table of a list, with its column heads and a row for each entry. */
export function rows(list, heads, fields, shares = heads.map(() => 100 / heads.length)) {
  const last = fields.length - 1;
  const inLoop = fields.map(
    (field, at) => (at === 0 ? `{#${list}}` : '') + field + (at === last ? `{/${list}}` : ''),
  );
  const head = heads.map((text, at) => cell(shares[at], styled('Label', run(text)), shaded));
  const body = inLoop.map((text, at) => cell(shares[at], styled('Cell', run(text))));
  return table(shares, row(head, '<w:tblHeader/>') + row(body), true);
}

/**
 * An example of the pages about templates: what it does, and the example itself in cells or in
 * lines.
 */
export const example = ([what, how]) =>
  styled('Label', run(what)) +
  (how.includes(' · ')
    ? table(
        how.split(' · ').map((_, __, all) => 100 / all.length),
        row(
          how.split(' · ').map((text, _, all) => cell(100 / all.length, styled('Cell', run(text)))),
        ),
        true,
      )
    : how
        .split(' / ')
        .map((text) => paragraph(text))
        .join(''));

/** Two photos next to each other, each with its number, caption and time. */
export function photoTable() {
  const of = (side) =>
    styled(
      'Caption',
      run(`{#${side}.number}{${side}.number}`, '<w:b/>') +
        run(`  {${side}.caption}{#${side}.group} ({${side}.group}){/${side}.group}`) +
        run(
          `{#${side}.time}  {${side}.time}{/${side}.time}{/${side}.number}`,
          `<w:color w:val="${grey}"/>`,
        ),
    );
  const left = styled('Photo', run('{#photoPairs}{left.photo}')) + of('left');
  const end = styled('Condition', run('{/photoPairs}'));
  const right = styled('Photo', run('{right.photo}')) + of('right') + end;
  return table([50, 50], row([cell(50, left), cell(50, right)]), false);
}

/** Place and date, the appraiser's signature, and that of the party if it signed. */
export function signature({ placeAndDate, sign, photos: { groups } }) {
  const line = `<w:tcBorders>${border('top', 6, grey)}</w:tcBorders>`;
  const low = '<w:vAlign w:val="bottom"/>';
  const shares = [45, 10, 45];
  const gap = cell(10, styled('Cell', ''));
  const signed = (field) =>
    styled('Cell', run(`{${field} | box: 6cm, 1.6cm}`), '<w:keepNext/><w:spacing w:after="40"/>');
  const above = (left, right) =>
    row([cell(45, left, low), gap, cell(45, right, low)], '<w:trHeight w:val="760"/>');
  const empty = styled('Cell', '', '<w:keepNext/>');
  const own = row([
    cell(45, styled('Label', run(placeAndDate)) + styled('Cell', run('{today}')), line),
    gap,
    cell(45, styled('Label', run(sign)) + styled('Cell', run('{appraiser.name}')), line),
  ]);
  const party = row([
    cell(45, empty),
    gap,
    cell(45, styled('Label', run(groups.signature)) + styled('Cell', run('{party.name}')), line),
  ]);
  return [
    styled('Normal', '', '<w:keepNext/><w:spacing w:before="120" w:after="0"/>'),
    table(shares, above(empty, signed('appraiser.signature')) + own, false),
    ...when('party.signature', [
      table(shares, above(empty, signed('party.signature')) + party, false),
    ]),
  ].join('');
}

export const header = () =>
  styled(
    'Header',
    run('{appraiser.office}', `<w:b/><w:color w:val="${colour}"/>`) +
      '<w:r><w:tab/></w:r>' +
      run('{#appraiser.phone}{appraiser.phone}{/appraiser.phone}') +
      run('{#appraiser.email}   {appraiser.email}{/appraiser.email}'),
  ) +
  styled('Header', run('{appraiser.address}'), `<w:pBdr>${border('bottom', 8, colour)}</w:pBdr>`);

const field = (name) => `<w:fldSimple w:instr="${name}">${run('1')}</w:fldSimple>`;
export const footer = ([page, of]) =>
  styled(
    'Footer',
    `${run('{case.key}')}<w:r><w:tab/></w:r>${run(`${page} `)}${field('PAGE')}${run(` ${of} `)}${field('NUMPAGES')}`,
  );

const style = (id, name, paragraphProperties, runProperties, base = 'Normal') =>
  `<w:style w:type="paragraph" w:styleId="${id}"${id === 'Normal' ? ' w:default="1"' : ''}><w:name w:val="${name}"/>${id === 'Normal' ? '' : `<w:basedOn w:val="${base}"/>`}<w:qFormat/><w:pPr>${paragraphProperties}</w:pPr><w:rPr>${runProperties}</w:rPr></w:style>`;
const spacing = (before, after, more = '') =>
  `<w:spacing w:before="${before}" w:after="${after}"${more}/>`;
const tab = `<w:tabs><w:tab w:val="right" w:pos="${width}"/></w:tabs>`;

const styles = (language) =>
  `${xml}<w:styles ${spaces}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:cs="${font}" w:eastAsia="${font}"/><w:sz w:val="20"/><w:lang w:val="${language === 'en' ? 'en-GB' : `${language}-CH`}"/></w:rPr></w:rPrDefault></w:docDefaults>` +
  style('Normal', 'Normal', spacing(0, 120, ' w:line="276" w:lineRule="auto"'), '') +
  style(
    'Title',
    'Title',
    spacing(240, 40),
    `<w:b/><w:color w:val="${colour}"/><w:sz w:val="40"/>`,
  ) +
  style('Subtitle', 'Subtitle', spacing(0, 240), `<w:color w:val="${grey}"/><w:sz w:val="24"/>`) +
  style(
    'Heading1',
    'heading 1',
    `<w:keepNext/>${spacing(280, 100)}<w:outlineLvl w:val="0"/>`,
    `<w:b/><w:color w:val="${colour}"/><w:sz w:val="26"/>`,
  ) +
  style('Label', 'Label', spacing(0, 0), `<w:color w:val="${grey}"/><w:sz w:val="17"/>`) +
  style('Cell', 'Cell', spacing(0, 0), '<w:sz w:val="19"/>') +
  style('Total', 'Total', spacing(0, 0), '<w:b/><w:sz w:val="21"/>') +
  style('Photo', 'Photo', spacing(60, 40), '') +
  style('Caption', 'caption', spacing(0, 120), '<w:sz w:val="17"/>') +
  // This style is for lines that contain only a brace. They are removed when the template is
  // filled.
  style('Condition', 'Condition', spacing(0, 0), `<w:color w:val="${grey}"/><w:sz w:val="14"/>`) +
  style('Gap', 'Gap', spacing(0, 0, ' w:line="120" w:lineRule="exact"'), '<w:sz w:val="8"/>') +
  style('Header', 'header', tab + spacing(0, 20), `<w:color w:val="${grey}"/><w:sz w:val="17"/>`) +
  style('Footer', 'footer', tab + spacing(0, 0), `<w:color w:val="${grey}"/><w:sz w:val="16"/>`) +
  '</w:styles>';

const relation = (id, type, target) =>
  `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
const relations = (...all) =>
  `${xml}<Relationships xmlns="${packages}/relationships">${all.join('')}</Relationships>`;
const override = (part, type) => `<Override PartName="/${part}" ContentType="${type}"/>`;

/** Makes a document that Word opens. The same parts result in the same bytes. */
export function makeDocx({ language, body, header: top, footer: bottom, title: name }) {
  const section =
    '<w:sectPr><w:headerReference w:type="default" r:id="rId2"/><w:footerReference w:type="default" r:id="rId3"/>' +
    '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1600" w:right="1134" w:bottom="1134" w:left="1134" w:header="680" w:footer="567" w:gutter="0"/></w:sectPr>';
  const parts = {
    '[Content_Types].xml':
      `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
      override('word/document.xml', `${word}.document.main+xml`) +
      override('word/styles.xml', `${word}.styles+xml`) +
      override('word/header1.xml', `${word}.header+xml`) +
      override('word/footer1.xml', `${word}.footer+xml`) +
      override('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml') +
      '</Types>',
    '_rels/.rels': relations(
      relation('rId1', `${office}/officeDocument`, 'word/document.xml'),
      relation('rId2', `${packages}/relationships/metadata/core-properties`, 'docProps/core.xml'),
    ),
    'docProps/core.xml': `${xml}<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escaped(name)}</dc:title><dc:language>${language}</dc:language></cp:coreProperties>`,
    'word/_rels/document.xml.rels': relations(
      relation('rId1', `${office}/styles`, 'styles.xml'),
      relation('rId2', `${office}/header`, 'header1.xml'),
      relation('rId3', `${office}/footer`, 'footer1.xml'),
    ),
    'word/document.xml': `${xml}<w:document ${spaces}><w:body>${body}${section}</w:body></w:document>`,
    'word/styles.xml': styles(language),
    'word/header1.xml': `${xml}<w:hdr ${spaces}>${top}</w:hdr>`,
    'word/footer1.xml': `${xml}<w:ftr ${spaces}>${bottom}</w:ftr>`,
  };
  const files = Object.entries(parts).map(([path, content]) => [path, strToU8(content)]);
  // The time is fixed, because an archive contains the time of each of its members.
  return zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(2026, 0, 1) });
}
