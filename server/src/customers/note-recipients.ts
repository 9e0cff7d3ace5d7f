import type { Tx } from "../db/sql.ts";
import { emailKey } from "../shared/email.ts";
import type { OrgId } from "../shared/ids.ts";
import { wordsOf } from "../shared/search-words.ts";
import { upsertRecipients } from "./recipient-store.ts";

/** Notes the people to whom an envelope is sent, in the transaction that sends it, so that they are suggested the next time. */
export async function noteRecipients(
  tx: Tx,
  org: OrgId,
  people: readonly { readonly email: string; readonly name: string }[],
): Promise<void> {
  const noted = people.map(({ email, name }) => ({ email_key: emailKey(email), email, name, words: wordsOf([name, email]) }));
  await upsertRecipients(tx, org, noted);
}
