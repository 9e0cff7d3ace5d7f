// Many Chinese characters are written differently in mainland China and in Taiwan and Hong Kong, with the same code point. Which shapes
// a text wants shows in its other characters: most simplified ones are not in Taiwan's character set, Big5, and most traditional ones not
// in GB 2312.

const HAN = /\p{sc=Han}/u;

let sets: { readonly simplified: ReadonlySet<string>; readonly traditional: ReadonlySet<string> } | null = null;

/** `tc` if more characters are only in Big5 than only in GB 2312; `sc` also for a text that could be either. */
export function chineseOf(value: string): "sc" | "tc" {
  const letters = [...value].filter((letter) => HAN.test(letter));
  if (letters.length === 0) return "sc";
  sets ??= { simplified: charactersOf("gbk", 0xb0, 0xf7, 0xa1), traditional: charactersOf("big5", 0xa4, 0xf9, 0x40) };
  const { simplified, traditional } = sets;
  const only = (set: ReadonlySet<string>, other: ReadonlySet<string>): number =>
    letters.filter((letter) => set.has(letter) && !other.has(letter)).length;
  return only(traditional, simplified) > only(simplified, traditional) ? "tc" : "sc";
}

/** The characters with a first byte from `first` to `last` and a second byte from `second`. */
function charactersOf(encoding: "gbk" | "big5", first: number, last: number, second: number): Set<string> {
  const bytes: number[] = [];
  // A line break after each pair keeps an unused one from changing its neighbour.
  for (let one = first; one <= last; one++) for (let two = second; two <= 0xfe; two++) if (two !== 0x7f) bytes.push(one, two, 0x0a);
  return new Set([...new TextDecoder(encoding).decode(Uint8Array.from(bytes))].filter((letter) => HAN.test(letter)));
}
