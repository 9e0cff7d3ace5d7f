import type { Words } from "../mail/message.ts";
import { writeLetter } from "../mail/write-letter.ts";
import type { ToldProblem } from "./failed-job.ts";

// The command lists all.
const LISTED = 20;

/** Ids and codes only: a message passes through servers of others. */
export function problemsForOperator(publicUrl: string, problems: readonly ToldProblem[]): Words {
  const { host } = new URL(publicUrl);
  const added = problems.filter(({ is_new }) => is_new).length;
  const what = problems.length === 1 ? "1 job does not work" : `${problems.length} jobs do not work`;
  const more = problems.length > LISTED ? [`And ${problems.length - LISTED} more.`] : [];
  return writeLetter({
    kind: "operator_problems",
    subject: `${what} at ${host}`,
    opening: [
      `${what} at ${publicUrl}. ${added === 0 ? "You were told before" : added === problems.length ? "You were not told before" : added === 1 ? "1 of them is new" : `${added} of them are new`}.`,
    ],
    facts: [...problems]
      .sort((a, b) => Number(b.is_new) - Number(a.is_new))
      .slice(0, LISTED)
      .map(({ problem_id, task, org_id, envelope_id, state, error_code, attempts }) => ({
        label: problem_id,
        value: [
          task,
          state === "failed" ? "not tried any more" : "is tried again",
          attempts === 1 ? "1 attempt" : `${attempts} attempts`,
          error_code,
          org_id,
          envelope_id,
        ]
          .filter((one) => one !== null)
          .join(", "),
      })),
    closing: [
      ...more,
      "The errors are in the list of: countersign jobs list. To try a job again: countersign jobs retry ID.",
      "This message comes at most every 15 minutes, and once a day while a problem is open.",
    ],
  });
}
