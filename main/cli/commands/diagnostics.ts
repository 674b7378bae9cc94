import { resolve } from 'node:path';
import type { Command } from '../command.ts';

/** Writes a bundle for support, without anything of a case or a person. */
export function diagnostics(to: string): Command {
  return async ({ engine, output, texts }) => {
    const written = await engine.tools.writeDiagnostics(resolve(to));
    output.result({ event: 'diagnosed', ...written }, () => texts.diagnosed(written));
  };
}
