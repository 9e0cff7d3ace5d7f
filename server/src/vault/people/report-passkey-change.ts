import type { Tx } from "../../db/sql.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { type PasskeyChange, passkeyChangedMail } from "./messages.ts";
import type { PeopleDeps } from "./person.ts";

// Long enough that it still arrives if a mail server was down over a weekend.
const MAIL_DAYS = 7;

/** Mails a change to the person and to everyone else who acts for one of their parties, in the transaction of the change. */
export async function reportPasskeyChange(
  deps: Pick<PeopleDeps, "mail" | "otherPeopleOf">,
  tx: Tx,
  { person, ip }: PersonCaller,
  { change, name }: Pick<PasskeyChange, "change" | "name">,
): Promise<void> {
  const others = await deps.otherPeopleOf(tx, person.person_id);
  const expires_at = new Date(tx.now.getTime() + MAIL_DAYS * DAY_MS);
  for (const { email, party_name } of [{ email: person.email, party_name: null }, ...others]) {
    const words = passkeyChangedMail({ change, name, email: person.email, at: tx.now, ip, party_name });
    await queueMail(deps.mail, tx, null, { ...words, to: email, org_name: null, expires_at });
  }
}
