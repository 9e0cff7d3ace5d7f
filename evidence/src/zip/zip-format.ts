// The zip format that our writer and reader share (PKWARE APPNOTE 6.3.10, without encryption, data descriptors and zip64). Every unused
// field has one fixed value, so that the same files always give the same bytes and headers cannot hide anything.

export const LOCAL_SIGNATURE = 0x04034b50;
export const CENTRAL_SIGNATURE = 0x02014b50;
export const END_SIGNATURE = 0x06054b50;

export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
export const END_BYTES = 22;

/** 2.0, the oldest version with deflate */
export const VERSION = 20;
/** names are UTF-8 */
export const FLAGS = 0x0800;
export const TIME = 0;
/** 1 January 1980, the earliest date that the format allows */
export const DATE = 0x0021;

export const STORED = 0;
export const DEFLATED = 8;

/** Limit for all files together, unpacked. Above it, other readers may overflow sizes and offsets. */
export const MAX_UNPACKED_BYTES = 1_073_741_824;

/** Far above what a bundle needs: it has a few dozen files. */
export const MAX_FILES = 10_000;

// Names that every file system supports in one spelling: no drive, no root, no parent folder, and no names that differ only in case or
// accents.
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const MAX_NAME_BYTES = 200;

export const isFileName = (name: string): boolean => NAME.test(name) && name.length <= MAX_NAME_BYTES;

export type NamedFile = { readonly name: string; readonly bytes: Uint8Array };

/** The zip file cannot be read or written. The message says why, and for which file. */
export class BadZip extends Error {
  override readonly name = "BadZip";
}
