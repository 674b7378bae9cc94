import { describe, expect, it } from 'vitest';
import { originOf } from '#main/bridge/desk-errors.ts';

describe('where an error came from', () => {
  it.each([
    [
      '    at read (file:///home/anna/Desk/app.asar/dist/main/x.js:1:2)',
      '    at read (main/x.js:1:2)',
    ],
    ['    at file:///home/anna%20b/dist/main/x.js:1:2', '    at main/x.js:1:2'],
    [
      '    at async A.b [as c] (C:\\Users\\Anna B\\pg\\lib.js:3:4)',
      '    at async A.b [as c] (pg\\lib.js:3:4)',
    ],
    ['    at new Script (node:vm:117:7)', '    at new Script (node:vm:117:7)'],
    [
      '    at process.processTicks (node:internal/process/task_queues:95:5)',
      '    at process.processTicks (process/task_queues:95:5)',
    ],
    ['    at async Promise.all (index 0)', '    at async Promise.all (index 0)'],
  ])('logs %s without the folders of a person', (frame, expected) => {
    const error = Object.assign(new Error('text'), { stack: `Error: text\n${frame}` });
    expect(originOf(error)).toEqual({ name: 'Error', code: undefined, frames: [expected] });
  });
});
