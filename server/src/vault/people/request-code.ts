import { randomInt } from "node:crypto";
import type { Jobs } from "../../jobs/catalogue.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { openAddress, sealAddress } from "../../mail/sealed-address.ts";
import type { Origin } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { countVisit, inTurn, mayRequestCode } from "./limits.ts";
import { actCodeMail, logInCodeMail } from "./messages.ts";
import { CODE_SECONDS, type PeopleDeps } from "./person.ts";
import { insertCode, lookUpPerson } from "./store.ts";

/**
 * Queues the request for a code: for log-in, or for one act. A job looks up person and act, so the response is the same and takes the same
 * time for known and unknown ones.
 */
export async function requestCode(deps: PeopleDeps, from: Origin, email: string, act_id: string | null): Promise<void> {
  // Without a mail server, messages wait where admins of an organization could read them, or are lost.
  if (deps.mail.smtp === null) throw new Problem("codes_unavailable");
  const visitor = inTurn(deps, from);
  await countVisit(visitor, from, "person-code");
  if (!(await mayRequestCode(visitor, email, act_id))) return;
  await visitor.db.system((tx) => enqueue(tx, "vault.send-person-code", { address_enc: sealAddress(deps, email), act_id }));
}

const CODES = 100_000_000;
// Codes of people who were looked up come before attempts of visitors.
const KNOWN = { known: true, group: "" };

/** The job. A second run mails another code, and the first stops working. */
export async function sendCode(deps: PeopleDeps, { address_enc, act_id }: Jobs["vault.send-person-code"]): Promise<void> {
  const email = openAddress(deps, address_enc);
  const found = await deps.db.system(async (tx) => {
    const person = await lookUpPerson(tx, email);
    if (person === null) return null;
    const act = act_id === null ? null : await deps.lookUpActOf(tx, person.person_id, act_id);
    return act_id !== null && act === null ? null : { person, act };
  });
  if (found === null) return;
  const { person, act } = found;
  const code = String(randomInt(CODES)).padStart(8, "0");
  const code_hash = await deps.proofs.hash(code, KNOWN);
  await deps.db.system(async (tx) => {
    const words = act === null ? logInCodeMail(code) : actCodeMail(code, act.summary);
    const expires_at = new Date(tx.now.getTime() + CODE_SECONDS * 1000);
    // To the stored address, never to the one that was typed.
    const message_id = await queueMail(deps.mail, tx, null, { ...words, to: person.email, org_name: null, expires_at });
    await insertCode(tx, { person_id: person.person_id, act_sha256: act?.sha256 ?? null, code_hash, message_id }, CODE_SECONDS);
  });
}
