import type { AuditSink } from "./sink.ts";

const UNREADABLE =
  "The secret that signs the requests cannot be read: it was changed in the database, or its key is gone. Remove the system in the console and add it again, from the beginning, so that no entry is missing. The operator of this installation should look for the reason.";

/** A target can contain a token, so only its host is named. */
export function failingMail({ target }: AuditSink, error: string): { readonly subject: string; readonly text: string } {
  const { host } = new URL(target);
  return {
    subject: `The audit export to ${host} has been failing for an hour`,
    text: [
      `Audit entries could not be sent to ${host} for an hour. The latest error: ${error.replaceAll("_", " ")}.`,
      ...(error === "secret_unreadable" ? [UNREADABLE] : []),
      "Nothing is lost: the service keeps trying, at least once an hour, and continues after the last entry that was accepted.",
      "The console shows the state under Settings, Audit export.",
    ].join("\n\n"),
  };
}
