// Smaller differences come from the way of an answer.
const WRONG_MS = 60_000;

let ahead = 0;

/**
 * Takes the service's time from an answer, and returns the answer. If this computer's clock is wrong, "3 minutes ago" is still true, and the
 * session is renewed in time.
 */
export function noteServerTime(answer: Response): Response {
  const difference = Date.parse(answer.headers.get("date") ?? "") - Date.now();
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) > WRONG_MS ? difference : 0;
  return answer;
}

export const serverNow = (): number => Date.now() + ahead;
