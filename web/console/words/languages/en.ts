/** The words of choices of a language. A table of another language must have the same members. */
export const en = { browser: "Browser language" };
