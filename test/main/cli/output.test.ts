import { describe, expect, it } from 'vitest';
import { createOutput } from '#main/cli/output.ts';

function capture(isTTY = false) {
  const written = { stdout: '', stderr: '' };
  const streams = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text), isTTY },
  };
  return { written, streams };
}

describe('createOutput', () => {
  const columns = [
    { title: 'Name', of: (item: { name: string }) => item.name },
    { title: 'Long', of: () => 'x' },
  ];

  it('gives programs one line, and people a plain table', () => {
    const items = [{ name: 'Zürich' }, { name: 'a' }];
    const json = capture();
    createOutput(json.streams, true, 'de').list(items, 7, columns);
    expect(json.written.stdout).toBe('{"items":[{"name":"Zürich"},{"name":"a"}],"total":7}\n');
    const plain = capture();
    createOutput(plain.streams, false, 'de').list(items, 7, columns);
    expect(plain.written.stdout).toBe('Name    Long\nZürich  x\na       x\n');
  });

  it('says to programs in the list, and to people beside it, that there may be more', () => {
    const list = { items: [{ name: 'a' }], total: 1, atLeast: 'Mindestens 1.' };
    const said = (json: boolean, totalIsExact: boolean) => {
      const { written, streams } = capture();
      createOutput(streams, json, 'de').listAtLeast({ ...list, totalIsExact }, columns);
      return written;
    };
    expect(said(true, false)).toEqual({
      stdout: '{"items":[{"name":"a"}],"total":1,"totalIsExact":false}\n',
      stderr: '',
    });
    expect(said(false, false)).toEqual({
      stdout: 'Name  Long\na     x\n',
      stderr: 'Mindestens 1.\n',
    });
    expect(said(false, true).stderr).toBe('');
  });

  it('lets no server’s text steer the terminal', () => {
    const { written, streams } = capture();
    createOutput(streams, false, 'de').list([{ name: '\u001B[2Jx\ny' }], 1, columns);
    expect(written.stdout).toBe('Name     Long\n [2Jx y  x\n');
  });

  it('says a problem on stderr, and with --json on stdout too', () => {
    const { written, streams } = capture();
    createOutput(streams, true, 'en').problem({ code: 'no_connection', params: {} });
    expect(written.stderr).toMatch(/^No connection to the partner .*\n$/);
    expect(JSON.parse(written.stdout)).toMatchObject({ event: 'error', code: 'no_connection' });
  });

  it('shows progress on a terminal only, and wipes it before the result', () => {
    const pipe = capture();
    createOutput(pipe.streams, false, 'en').progress('half');
    expect(pipe.written.stderr).toBe('');
    const program = capture(true);
    createOutput(program.streams, true, 'en').progress('half');
    expect(program.written.stderr).toBe('');
    const terminal = capture(true);
    const output = createOutput(terminal.streams, false, 'en');
    output.progress('half');
    output.result({}, () => 'done');
    expect(terminal.written.stderr).toBe('\r\u001B[Khalf\r\u001B[K');
  });
});
