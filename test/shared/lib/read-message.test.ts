import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage } from '#shared/lib/read-message.ts';

const read = (text: string, encoding: BufferEncoding = 'utf-8') =>
  readMessage(Buffer.from(text, encoding));
const plain = 'From: a@example.ch\r\nSubject: Test\r\n\r\nHallo';

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
      ...{ from: ['a@example.ch'], subject: 'Test', text: 'Hallo' },
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
    expect(mail.from).toEqual(['fdp <a@example.ch>']);
    expect(mail.attachments.map(({ fileName }) => fileName)).toEqual(['a fdp.exe']);
  });

  it('that nests without end is refused, and any bytes end', { timeout: 60_000 }, async () => {
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
