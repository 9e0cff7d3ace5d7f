/**
 * @typedef {object} Random
 * @property {() => number} next from 0 up to 1
 * @property {(from: number, to: number) => number} between
 * @property {(chance: number) => boolean} happens
 * @property {<T>(items: readonly T[], count: number) => T[]} sample
 */

/** The same numbers for the same seed (mulberry32). The decisions of a run can be repeated, but not its timing. @param {number} seed @returns {Random} */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    happens: (chance) => next() < chance,
    sample(items, count) {
      const left = [...items];
      const taken = [];
      while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(next() * left.length), 1));
      return taken;
    },
  };
}
