/** A test checks that this matches package.json. */
export const VERSION = "0.1.0";
