import type { MailDeps } from "../mail/message.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { DAY_MS } from "../shared/durations.ts";
import { problemsForOperator } from "./messages.ts";
import { takeProblemsToTell } from "./store.ts";

export interface OperatorDeps {
  readonly mail: MailDeps;
  /** of operators; empty: none is told */
  readonly operators: readonly string[];
  readonly publicUrl: string;
}

/**
 * Mails operators what did not work: a new problem at once, but at most one message in 15 minutes, and one a day while a problem is open. That
 * they were told commits with the messages, so a crash causes none twice.
 */
export async function tellOperator({ mail, operators, publicUrl }: OperatorDeps): Promise<number> {
  if (operators.length === 0) return 0;
  return mail.db.system(async (tx) => {
    const problems = await takeProblemsToTell(tx);
    if (problems.length === 0) return 0;
    // After a day the next message says the same.
    const expires_at = new Date(tx.now.getTime() + DAY_MS);
    for (const to of operators)
      await queueMail(mail, tx, null, { ...problemsForOperator(publicUrl, problems), to, org_name: null, expires_at });
    return problems.length;
  });
}
