import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage } from '#shared/lib/read-message.ts';

const read = (text: string, encoding: BufferEncoding = 'utf-8') =>
  readMessage(Buffer.from(text, encoding));
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../support/fixtures', name));
const plain = 'From: a@example.ch\r\nSubject: Test\r\n\r\nHallo';

/** A file as old programs write it into a mail (POSIX, "uuencode"). */
function uuencoded(name: string, bytes: Buffer, zero: ' ' | '`'): string {
  const letter = (six: number) => (six === 0 ? zero : String.fromCharCode(32 + six));
  const lines = Array.from({ length: Math.ceil(bytes.length / 45) }, (_, index) => {
    const part = bytes.subarray(index * 45, index * 45 + 45);
    let line = letter(part.length);
    for (let at = 0; at < part.length; at += 3) {
      const [a = 0, b = 0, c = 0] = part.subarray(at, at + 3);
      for (const six of [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63])
        line += letter(six);
    }
    return line;
  });
  return ['begin 644 ' + name, ...lines, zero, 'end', ''].join('\n');
}

describe('a mail that is read', () => {
  it.each([
    ['nothing', ''],
    ['a mailbox line', 'From - Mon Mar 02 10:00:00 2026\r\n'],
    ['a quoted mailbox line', '>From a@example.ch Mon Mar  2 10:00:00 2026\n'],
    ['a mark of the encoding', '\ufeff'],
    ['a blank line', '\n'],
  ])('is the same after %s', async (_, before) => {
    const { from, subject, text } = await read(before + plain);
    expect({ from, subject, text }).toEqual({
      from: ['a@example.ch'],
      subject: 'Test',
      text: 'Hallo',
    });
  });

  it('has its words in any encoding', async () => {
    const mail = await read(
      'Subject: =?utf-8?Q?Sch=C3=A4den?=\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n' +
        '--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
        'S290ZmzDvGdlbHNjaGFkZW4=\r\n--x--',
    );
    expect([mail.subject, mail.text]).toEqual(['Schäden', 'Kotflügelschaden']);
    const latin = 'Content-Type: text/plain; charset=windows-1252\r\n\r\nGrüezi';
    expect((await read(latin, 'latin1')).text).toBe('Grüezi');
  });

  it.each([
    ['none', ''],
    ['one that cannot hold it', '; charset=us-ascii'],
    ['the wrong one', '; charset=utf-8'],
    ['an unknown one', '; charset=unknown-8bit'],
    ['one of its own', '; charset=x-user-defined'],
  ])('has its 8-bit text where it names %s as its encoding', async (_, charset) => {
    for (const [transfer, body] of [
      ['8bit', 'Grüezi Müller'],
      ['quoted-printable', 'Gr=FCezi M=FC=\r\nller'],
      ['base64', Buffer.from('Grüezi Müller', 'latin1').toString('base64')],
    ])
      for (const type of ['text/plain', 'text/html']) {
        const head = `Content-Type: ${type}${charset}\r\nContent-Transfer-Encoding: ${transfer}`;
        const part = `--x\r\n${head}\r\n\r\n${body}\r\n--x--\r\n`;
        const { text } = await read(
          `Content-Type: multipart/mixed; boundary=x\r\n\r\n${part}`,
          'latin1',
        );
        expect(text.trim()).toBe('Grüezi Müller');
      }
    expect((await read('Subject: Prüfung\n\nGrüezi', 'latin1')).text).toBe('Grüezi');
    expect((await read('Subject: Prüfung\n\nGrüezi', 'latin1')).subject).toBe('Prüfung');
    expect((await read(`Content-Type: text/plain${charset}\n\nGrüezi`)).text).toBe('Grüezi');
  });

  it.each(['cp850', 'IBM850', 'ibm-437'])('has its text in %s', async (charset) => {
    const bytes = Buffer.from('Gr\x81ezi M\x81ller', 'latin1').toString('base64');
    const head = `Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: base64`;
    expect((await read(`${head}\n\n${bytes}\n`)).text).toBe('Grüezi Müller');
  });

  it('has its text in UTF-7', async () => {
    for (const charset of ['utf-7', 'UNICODE-1-1-UTF-7'])
      for (const transfer of ['7bit', 'quoted-printable']) {
        const head = `Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: ${transfer}`;
        const { text } = await read(`${head}\n\nGr+APw-ezi M+APw-ller, 3 +- 4 +IKw- 5, +2D3eAA-\n`);
        expect(text).toBe('Grüezi Müller, 3 + 4 € 5, 😀');
      }
  });

  it.each(['iso-8859-15', 'ISO_8859-15', 'latin9'])('has its euros in %s', async (charset) => {
    const head = `Content-Type: text/plain; charset=${charset}`;
    expect((await read(`${head}\n\nTotal \xa4 250\n`, 'latin1')).text).toBe('Total € 250');
  });

  const pixels = Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 37) % 256));
  it.each([
    ['with blanks for zeros', uuencoded('Foto 1.jpg', pixels, ' ')],
    ['with accents for zeros', uuencoded('Foto 1.jpg', pixels, '`')],
    ['without blanks at the ends', uuencoded('Foto 1.jpg', pixels, ' ').replaceAll(/ +$/gm, '')],
  ])('has the file that stands in its text in uuencode, %s', async (_, file) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const mail = `Subject: Fotos\n\nGuten Tag\n${file}Freundliche Grüsse\n`;
      const { text, attachments } = await read(mail.replaceAll('\n', lineEnd));
      expect(text).toBe('Guten Tag\nFreundliche Grüsse');
      expect(attachments.map(({ content, ...named }) => [named, Buffer.from(content)])).toEqual([
        [{ fileName: 'Foto 1.jpg', contentType: 'image/jpeg' }, pixels],
      ]);
    }
  });

  it('has a part in uuencode as the file that it is', async () => {
    const part = (head: string) =>
      `--x\nContent-Type: application/pdf\nContent-Transfer-Encoding: x-uuencode\n${head}\n${uuencoded('a.pdf', pixels, '`')}`;
    const { text, attachments } = await read(
      `Content-Type: multipart/mixed; boundary=x\n\n--x\n\nGuten Tag\n${part('')}${part('Content-Disposition: attachment; filename=b.pdf\n')}--x--\n`,
    );
    expect(text.trim()).toBe('Guten Tag');
    expect(attachments.map(({ fileName }) => fileName)).toEqual(['a.pdf', 'b.pdf']);
    for (const { content } of attachments) expect(Buffer.from(content)).toEqual(pixels);
  });

  it.each(['begin 644 a.jpg\nGuten Tag, wie besprochen.', 'begin 2026 war es', 'begin 644 a.jpg'])(
    'has a text that only begins as uuencode: %s',
    async (words) => {
      const { text, attachments } = await read(`Subject: Test\n\n${words}\n`);
      expect([text, attachments]).toEqual([words, []]);
    },
  );

  it('is read if its lines end with a carriage return alone', async () => {
    const { subject, text } = await read('From - Mon\rSubject: Test\r\rHallo\rWelt\r');
    expect([subject, text]).toEqual(['Test', 'Hallo\nWelt']);
  });

  it('has its text and its attachments without what a mailing list adds behind base64', async () => {
    const footer = ['____________', 'Werkstätten mailing list', 'https://liste.example.ch', ''];
    const part = (type: string, bytes: Buffer) => [
      '--x',
      `Content-Type: ${type}`,
      'Content-Transfer-Encoding: base64',
      '',
      bytes.toString('base64'),
      ...footer,
    ];
    const pdf = Buffer.from('%PDF-1.7 a file of any length');
    for (const charset of ['utf-8', 'iso-8859-1', 'us-ascii']) {
      const text = Buffer.from('Grüezi Müller', charset === 'utf-8' ? 'utf8' : 'latin1');
      const { text: shown, attachments } = await read(
        [
          'Content-Type: multipart/mixed; boundary=x',
          '',
          ...part(`text/plain; charset=${charset}`, text),
          ...part('application/pdf; name=a.pdf', pdf),
          '--x--',
          '',
        ].join('\n'),
      );
      expect(shown.trim()).toBe('Grüezi Müller');
      expect(attachments.map(({ content }) => Buffer.from(content))).toEqual([pdf]);
    }
  });

  it('has its attachments byte for byte, whatever is decoded beside them', async () => {
    const bytes = 'Zürich;1\n--y\nNotiz: Grüezi\n';
    const { text, attachments } = await read(
      'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n\r\nGrüezi\r\n' +
        '--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="Prüfliste.csv"' +
        `\r\n\r\n${bytes}\r\n--x--\r\n`,
      'latin1',
    );
    const [file] = attachments;
    expect([text.trim(), file?.fileName]).toEqual(['Grüezi', 'Prüfliste.csv']);
    expect(
      Buffer.from(file?.content ?? [])
        .toString('latin1')
        .trimEnd(),
    ).toBe(bytes.trimEnd());
  });

  it.each([
    ['as its plain text if that says the same', 'Total 250.00 CHF', '<p>Total 250.00</p>', ''],
    ['as its HTML beside a stub', 'Kein HTML.', '<p>Total 250.00</p>', 'Total 250.00'],
    ['as its HTML if a figure differs', 'Total 205.00', '<p>Total 250.00</p>', 'Total 250.00'],
    ['as its plain text without words in HTML', 'Total 250.00', '<img src="x">', ''],
  ])('is shown %s', async (_, plainForm, html, shown) => {
    const { text, plainText } = await read(
      'Content-Type: multipart/alternative; boundary=x\r\n\r\n' +
        `--x\r\n\r\n${plainForm}\r\n--x\r\nContent-Type: text/html\r\n\r\n${html}\r\n--x--`,
    );
    expect(text).toBe(shown || plainForm);
    // What only the plain form says is not lost.
    expect(plainText).toBe(shown !== '' && /\d/.test(plainForm) ? plainForm : '');
  });

  it('has all its parts with their cells apart, if one is HTML', async () => {
    const { text, plainText } = await read(
      'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nGrüezi\r\n' +
        '--x\r\nContent-Type: text/html\r\n\r\n<table><tr><td>Pos. 1</td><td>250.00</td></tr></table>\r\n--x--',
    );
    expect([text, plainText]).toEqual(['Grüezi\nPos. 1\t250.00', '']);
  });

  it.each([
    ['its subject', 'Subject: Die innere Mail\n', '', 'Die innere Mail.eml'],
    ['its name', 'Subject: a\n', '; name="Weiter"', 'Weiter.eml'],
    ['its whole name', 'Subject: a\n', '; name="Weiter.EML"', 'Weiter.EML'],
    ['none if it has neither', '', '', ''],
  ])('has a mail in it as a file of %s', async (_, subject, name, fileName) => {
    const inner = `From: b@example.ch\n${subject}\nInnen\n`;
    for (const disposition of ['', 'Content-Disposition: inline\r\n']) {
      const mail = await read(
        'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nAussen\r\n' +
          `--x\r\nContent-Type: message/rfc822${name}\r\n${disposition}\r\n${inner}\r\n--x--`,
      );
      const [file] = mail.attachments;
      expect([mail.text.trim(), file?.fileName]).toEqual(['Aussen', fileName]);
      expect(
        Buffer.from(file?.content ?? [])
          .toString()
          .trimEnd(),
      ).toBe(inner.trimEnd());
    }
  });

  it.each([
    ['no boundary', 'multipart/report'],
    ['a boundary that nothing has', 'multipart/mixed; boundary="x"'],
  ])('shows what it has if it names parts and has none: %s', async (_, type) => {
    const { subject, text } = await read(
      `Subject: Offerte\r\nContent-Type: ${type}\r\n\r\nGrüezi\r\n\r\nCHF 4750.00\r\n`,
    );
    expect([subject, text]).toEqual(['Offerte', 'Grüezi\r\n\r\nCHF 4750.00']);
    const empty = 'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n\r\n\r\n--x--\r\n';
    expect((await read(empty)).text).toBe('');
  });

  it.each([
    ['in a signature', fixture('signed-opaque.eml')],
    ['in a signature of unknown length', fixture('signed-opaque-streamed.eml')],
    [
      'in a signature that is named as any file',
      Buffer.from(
        fixture('signed-opaque.eml')
          .toString()
          .replaceAll(
            /application\/pkcs7-mime; smime-type=signed-data/g,
            'application/octet-stream',
          ),
      ),
    ],
  ])('has its text and its files %s', async (_, bytes) => {
    const mail = await readMessage(bytes);
    expect(mail).toMatchObject({
      subject: 'Offerte',
      from: ['a@example.ch'],
      to: ['b@example.ch'],
      text: 'Guten Tag, die Reparatur kostet 4750.00 CHF für Tür.',
      isSealed: false,
    });
    expect(mail.attachments.map(({ fileName }) => fileName)).toEqual(['offerte.pdf']);
  });

  it.each([
    ['S/MIME', 'application/pkcs7-signature', 'smime.p7s'],
    ['PGP', 'application/pgp-signature', 'signature.asc'],
  ])('has the text before a signature of %s, which is a file', async (_, type, name) => {
    const { text, isSealed, attachments } = await read(
      `Content-Type: multipart/signed; protocol="${type}"; boundary=x\r\n\r\n--x\r\n\r\nGrüezi\r\n` +
        `--x\r\nContent-Type: ${type}; name="${name}"\r\n\r\nMIIF\r\n--x--\r\n`,
    );
    expect([text.trim(), isSealed]).toEqual(['Grüezi', false]);
    expect(attachments.map(({ fileName }) => fileName)).toEqual([name]);
  });

  it.each(['<?xml version="1.0"?><invoice>Content-Type: none</invoice>', '%PDF-1.7\r\n\r\n'])(
    'keeps a signed file that is no mail: %s',
    async (content) => {
      const element = (tag: number, ...parts: Uint8Array[]) => {
        const body = Buffer.concat(parts);
        return Buffer.concat([Buffer.from([tag, body.length]), body]);
      };
      const oid = (number: string) =>
        element(0x06, Buffer.from(`2a864886f70d0107${number}`, 'hex'));
      const inner = element(0x30, oid('01'), element(0xa0, element(0x04, Buffer.from(content))));
      const version = element(0x02, Buffer.from([1]));
      const signed = element(0x30, version, element(0x31), inner);
      const message = element(0x30, oid('02'), element(0xa0, signed));
      const { text, isSealed, attachments } = await read(
        'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n' +
          'Content-Type: application/octet-stream; name="rechnung.xml.p7m"\r\n' +
          `Content-Transfer-Encoding: base64\r\n\r\n${message.toString('base64')}\r\n--x--\r\n`,
      );
      expect([text, isSealed]).toEqual(['', false]);
      expect(attachments.map((file) => [file.fileName, [...file.content]])).toEqual([
        ['rechnung.xml.p7m', [...message]],
      ]);
    },
  );

  it('is sealed if it is encrypted, by a certificate or by PGP', async () => {
    const encrypted = await readMessage(fixture('encrypted.eml'));
    expect(encrypted).toMatchObject({ subject: 'Offerte', text: '', isSealed: true });
    expect(encrypted.attachments.map(({ fileName }) => fileName)).toEqual(['smime.p7m']);
    const pgp = await read(
      'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=x\r\n\r\n' +
        '--x\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n' +
        '--x\r\nContent-Type: application/octet-stream; name="encrypted.asc"\r\n\r\nhQEM\r\n--x--\r\n',
    );
    expect(pgp.isSealed).toBe(true);
    expect((await read(plain)).isSealed).toBe(false);
  });

  it('is text alone if it is HTML: no script, no style, no picture, no address of a link', async () => {
    const { text } = await read(
      'Content-Type: text/html\r\n\r\n<style>p{}</style><script>alert(1)</script>' +
        '<p>Eins<br>zwei <a href="http://evil.invalid">drei</a><img src="http://evil.invalid/x.png"></p>',
    );
    expect(text).toBe('Eins\nzwei drei');
  });

  it('shows no name of a sender or file reversed', async () => {
    const mail = await read(
      'From: "=?utf-8?Q?=E2=80=AEfdp?=" <a@example.ch>\r\nContent-Type: application/pdf\r\n' +
        'Content-Disposition: attachment; filename="=?utf-8?Q?a=E2=80=AEfdp.exe?="\r\n\r\nx',
    );
    expect(mail.from).toEqual(['\ufffdfdp <a@example.ch>']);
    expect(mail.attachments.map(({ fileName }) => fileName)).toEqual(['a\ufffdfdp.exe']);
  });

  it('that nests without end is refused, and any bytes end', async () => {
    const part = '--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n';
    const nested = `Content-Type: multipart/mixed; boundary=x\r\n\r\n${part.repeat(5000)}`;
    await expect(read(nested)).rejects.toThrow(/nesting/);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const mail = await readMessage(Buffer.concat([Buffer.from('Subject: a\r\n'), bytes]));
        expect(mail.text.length).toBeLessThanOrEqual(300_000);
      }),
    );
  });
});
