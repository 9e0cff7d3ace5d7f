const FIRST_PAUSE_SECONDS = 60;
export const LONGEST_PAUSE_SECONDS = 6 * 3_600;
const MOST_DOUBLINGS = 12;

/** Seconds until a message to another vault is sent again, after so many attempts: first a minute, at last six hours. */
export const pauseAfter = (attempts: number): number =>
  Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts, MOST_DOUBLINGS));
