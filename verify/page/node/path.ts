// What the verifier imports of `node:path`, for a browser, where it is never called: a page has no files.

export const join = (...parts: readonly string[]): string => parts.join("/");
