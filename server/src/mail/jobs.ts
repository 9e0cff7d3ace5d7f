import type { JobHandlers } from "../jobs/catalogue.ts";
import type { MessageId } from "../shared/ids.ts";
import type { JobLog } from "../shared/job-log.ts";
import type { SendingDeps } from "./message.ts";
import { resumeMail } from "./resume-mail.ts";
import { type Attempted, sendMail } from "./send-mail.ts";

export const mailJobs = (deps: SendingDeps, log?: JobLog): Pick<JobHandlers, "mail.send" | "mail.resume"> => ({
  "mail.send": async ({ message_id }) => {
    const attempted = await sendMail(deps, message_id);
    if (attempted !== null) warnUnsent(log, message_id, attempted);
  },
  "mail.resume": () => resumeMail(deps, ({ message_id, ...attempted }) => warnUnsent(log, message_id, attempted)),
});

/** Only the message's id and the mail server's codes: the address and the text do not belong in a log. */
function warnUnsent(log: JobLog | undefined, message_id: MessageId, { outcome, state }: Attempted): void {
  if (outcome.kind === "sent") return;
  const { kind, error } = outcome;
  log?.warn({ message_id, outcome: kind, error }, state === "failed" ? "mail failed for good" : "mail will be tried again");
}
