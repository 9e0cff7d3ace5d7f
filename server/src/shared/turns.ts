import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/**
 * For work that goes through much data piece by piece, in the thread that also answers requests: one piece of all such work in each turn
 * of the event loop, whoever it is for. However many files come in at once, a request waits for one piece and not for one of each.
 */
export function takeTurn(): Promise<void> {
  const turn = last.then(() => nextTurn());
  last = turn;
  return turn;
}
