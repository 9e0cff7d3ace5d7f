/** Parses pages such as `2-4,7` into a sorted list without duplicates; null if the text is invalid or names a page that does not exist. */
export function pagesOf(text: string, count: number): readonly number[] | null {
  const found = new Set<number>();
  for (const piece of text.split(",")) {
    const [, first = "", last = first] = /^\s*(\d{1,5})\s*(?:[-–]\s*(\d{1,5})\s*)?$/.exec(piece) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (from < 1 || to < from || to > count) return null;
    for (let page = from; page <= to; page++) found.add(page);
  }
  return [...found].sort((one, other) => one - other);
}
