/** The launcher that each package brings (build/cli). */
export const packagedCommand = 'appraiser-desk-cli';
/** The command line of a checkout. */
export const sourceCommand = 'npm run desk --';
