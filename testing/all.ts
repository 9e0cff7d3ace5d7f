import { describe, test } from "vitest";

/**
 * Whether this run is to take as long as it needs: `npm test -- --all`, and every run of single files. Without it, tests that take long
 * and rarely fail are left out: further browser stories, long property runs, programs that are started and killed, walks through READMEs.
 * A whole file of such tests is called `*.all.test.ts`.
 */
export const ALL = process.env.TEST_ALL !== "false";

export const testInAll = test.runIf(ALL);
export const describeInAll = describe.runIf(ALL);

/** The cases that a story is told for: without `--all`, only the first. */
export const casesInAll = <T>(cases: readonly T[]): readonly T[] => (ALL ? cases : cases.slice(0, 1));

/** How often a property is tried. */
export const tries = (all: number): number => (ALL ? all : Math.min(all, 20));
