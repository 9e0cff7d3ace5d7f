import type { CodeMail } from "../../http/shapes.ts";
import type { PersonId } from "../../shared/ids.ts";
import type { PeopleDeps } from "./person.ts";
import { lookUpCodeMail } from "./store.ts";

/** What became of the message with the person's code for this act; null if there is none that can be entered. */
export async function followCode(deps: PeopleDeps, person_id: PersonId, act_id: string): Promise<CodeMail["state"]> {
  return deps.db.system(async (tx) => {
    const act = await deps.lookUpActOf(tx, person_id, act_id);
    return act === null ? null : lookUpCodeMail(tx, person_id, act.sha256);
  });
}
