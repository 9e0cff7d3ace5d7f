// What writer and reader of zip files agree on (PKWARE APPNOTE 6.3.10, without encryption, data descriptors and zip64). Every field
// that we do not need has one fixed value: the same files always give the same bytes, and a header has nowhere to hide anything.

export const LOCAL_SIGNATURE = 0x04034b50;
export const CENTRAL_SIGNATURE = 0x02014b50;
export const END_SIGNATURE = 0x06054b50;

export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
export const END_BYTES = 22;

/** 2.0: the oldest that knows deflate */
export const VERSION = 20;
/** names are UTF-8 */
export const FLAGS = 0x0800;
export const TIME = 0;
/** 1 January 1980, the first day there is */
export const DATE = 0x0021;

export const STORED = 0;
export const DEFLATED = 8;

/** Unpacked, all files together: beyond it neither sizes nor offsets are safe from overflow in other readers. */
export const MAX_UNPACKED_BYTES = 1_073_741_824;

/** A bundle has a few dozen. */
export const MAX_FILES = 10_000;

// What every file system can hold, in one spelling: no drive, no root, no way up, nothing that a case-blind or accent-folding one
// would take for another file.
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const MAX_NAME_BYTES = 200;

export const isFileName = (name: string): boolean => NAME.test(name) && name.length <= MAX_NAME_BYTES;

export type NamedFile = { readonly name: string; readonly bytes: Uint8Array };

/** The file is not one that we read. The message says what is wrong with it, and where. */
export class BadZip extends Error {
  override readonly name = "BadZip";
}
