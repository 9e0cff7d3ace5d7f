/** The letter and the colour that distinguish the fields of each role. */

// The number of colours in `builder.css`. The seventh role shares the colour of the first one, but has its own letter.
const COLOURS = 6;

export interface Mark {
  readonly letter: string;
  readonly colour: number;
}

const NO_ROLE: Mark = { letter: "–", colour: 0 };

export function markOf(role: string | null, roles: readonly string[]): Mark {
  const index = role === null ? -1 : roles.indexOf(role);
  if (index < 0) return NO_ROLE;
  return { letter: lettersOf(roles)[index] ?? "?", colour: index % COLOURS };
}

/** For each role, the first of its letters that no earlier role uses, or a number if all are taken. */
export function lettersOf(roles: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return roles.map((role, index) => {
    const own = [...role.toLocaleUpperCase("en")].filter((one) => /[\p{L}\p{N}]/u.test(one));
    const letter = own.find((one) => !taken.has(one)) ?? String(index + 1);
    taken.add(letter);
    return letter;
  });
}
