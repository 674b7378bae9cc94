import { basename } from 'node:path';
import type { Appraiser } from '#shared/desk/reports/templates.ts';
import { assertNotSpecial } from '#main/engine/disk/regular-file.ts';
import { wholeFile } from '#main/engine/disk/whole-file.ts';
import type { Command } from '../command.ts';

export interface AppraiserArguments extends Partial<Appraiser> {
  /** A picture, or `none`. */
  readonly signature?: string;
}

/** Shows the author of the reports, or sets the details that are given. */
export function appraiser({ signature, ...given }: AppraiserArguments): Command {
  return async ({ engine, output }) => {
    const { templates, files } = engine;
    if (Object.keys(given).length > 0)
      await templates.setAppraiser({ ...(await templates.appraiser()), ...given });
    if (signature === 'none') await templates.removeSignature();
    else if (signature !== undefined) {
      const fileName = basename(signature);
      assertNotSpecial(signature);
      await files.setSignature({ fileName, content: wholeFile(signature) });
    }
    const { picture } = await templates.signature();
    const found = { ...(await templates.appraiser()), hasSignature: picture !== null };
    output.result(found, () =>
      [
        ...[found.name, found.office, found.address, found.phone, found.email].filter(Boolean),
        found.hasSignature ? 'A signature is stored.' : 'No signature is stored.',
      ].join('\n'),
    );
  };
}
