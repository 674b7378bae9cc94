import { vi } from 'vitest';

/** The pieces that a command writes to the standard output. */
export async function writtenBy(command: () => Promise<void> | undefined): Promise<string[]> {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  try {
    await command();
  } finally {
    write.mockRestore();
  }
  return lines;
}
