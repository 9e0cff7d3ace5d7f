/** What a page shows at fields that are still empty. A table of another language must have the same members. */
export const en = {
  signs: (name: string) => `${name} signs here`,
  initials: (name: string) => `${name} initials here`,
  fills: (name: string) => `${name} fills this in`,
  optional: (name: string) => `Optional, for ${name}`,
};
