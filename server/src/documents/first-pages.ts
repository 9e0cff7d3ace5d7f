/** The pages on which several documents begin when they are one, from 1. */
export function firstPages(counts: readonly number[]): number[] {
  let next = 1;
  return counts.map((count) => {
    next += count;
    return next - count;
  });
}
