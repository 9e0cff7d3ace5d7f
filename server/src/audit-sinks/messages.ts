import type { AuditSink } from "./sink.ts";

/** A target can contain a token, so only its host is named. */
export function failingMail({ target }: AuditSink, error: string): { readonly subject: string; readonly text: string } {
  const { host } = new URL(target);
  return {
    subject: `The audit export to ${host} has been failing for an hour`,
    text: [
      `Audit entries could not be sent to ${host} for an hour. The latest error: ${error.replaceAll("_", " ")}.`,
      "Nothing is lost: the service keeps trying, at least once an hour, and continues after the last entry that was accepted.",
      "The console shows the state under Settings, Audit export.",
    ].join("\n\n"),
  };
}
