import type { Origin } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { countVisit, inTurn, turnOf } from "./limits.ts";
import type { PeopleDeps } from "./person.ts";
import { type StartedSession, startSession } from "./start-session.ts";
import { useCode } from "./store.ts";
import { tryCode } from "./try-code.ts";

/** Starts a session with the code that was mailed for log-in. A code for an act does not log in. */
export async function logInByCode(deps: PeopleDeps, from: Origin, email: string, code: string): Promise<StartedSession> {
  const visitor = inTurn(deps, from);
  await countVisit(visitor, from, "person-log-in");
  const right = await tryCode(visitor, turnOf(from), email, null, code);
  if (right === null) throw new Problem("invalid_code");
  return deps.db.system(async (tx) => {
    const used = await useCode(tx, right.person_id, null, right.code_hash);
    if (used === null) throw new Problem("invalid_code", "used in the meantime");
    return startSession(tx, right.person_id, null);
  });
}
