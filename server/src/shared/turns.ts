import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/**
 * For work in the main thread that processes large data piece by piece: allows one piece of all such work per turn of the event loop. No
 * matter how many files arrive at once, a request waits for one piece, not for one piece of each file.
 */
export function takeTurn(): Promise<void> {
  const turn = last.then(() => nextTurn());
  last = turn;
  return turn;
}
