/** The largest spreadsheet with amounts and comments, in bytes. */
export const sheetMaxBytes = 9_000_000;

/** Base64 writes three bytes as four characters. */
export const sheetBase64MaxLength = Math.ceil(sheetMaxBytes / 3) * 4;

/** The largest message of the contract: a sheet, with room for the rest of the call. */
export const messageMaxBytes = sheetBase64MaxLength + 64 * 1024;
