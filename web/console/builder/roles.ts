/** How the fields of one role are told from those of another: by a letter and, besides, by a colour. */

// As many as `builder.css` has colours for; the seventh role wears the first one's, and has a letter of its own all the same.
const COLOURS = 6;

export interface Mark {
  readonly letter: string;
  readonly colour: number;
}

const OF_NOBODY: Mark = { letter: "–", colour: 0 };

export function markOf(role: string | null, roles: readonly string[]): Mark {
  const index = role === null ? -1 : roles.indexOf(role);
  if (index < 0) return OF_NOBODY;
  return { letter: lettersOf(roles)[index] ?? "?", colour: index % COLOURS };
}

/** The first letter of each that no other has before it; a figure where it has none left. */
export function lettersOf(roles: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return roles.map((role, index) => {
    const own = [...role.toLocaleUpperCase("en")].filter((one) => /[\p{L}\p{N}]/u.test(one));
    const letter = own.find((one) => !taken.has(one)) ?? String(index + 1);
    taken.add(letter);
    return letter;
  });
}
