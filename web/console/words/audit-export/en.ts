import type { AuditSinkFrom, AuditSinkKind, AuditSinkState } from "@countersign/client/types";

/** The words of the audit export. A table of another language must have the same members. */
export const en = {
  lead: "Sends the audit entries of your organization and of all its envelopes to your own systems, in the order of the log. A system that fails is tried again, at least once an hour, and continues where it stopped.",
  receipts:
    "A webhook gets the next batch only after it has accepted the one before. Syslog has no receipts: if the connection breaks, up to one batch (500 entries) can be lost, and nothing here shows it.",
  none: "No systems. Audit entries stay in Countersign.",
  full: (most: number) => `An organization can have ${most} systems. Remove one to add another.`,
  kinds: { webhook: "Webhook", syslog: "Syslog over TLS" } satisfies Record<AuditSinkKind, string>,
  states: { ok: "Working", failing: "Failing", off: "Off" } satisfies Record<AuditSinkState, string>,
  unused: "Nothing sent yet",
  facts: { last: { webhook: "Last accepted", syslog: "Last sent" }, failing: "First failure", next: "Next attempt", error: "Latest error" },
  never: "Nothing yet",
  soon: "Now",
  errors: {
    timeout: "The system did not answer in time.",
    dns_error: "The host name could not be resolved.",
    connection_error: "The connection was refused or reset, or the answer was not understood.",
    tls_error: "The TLS certificate is not valid, or the system does not support TLS.",
    blocked_address: "The host name leads to an address that nothing is sent to.",
    interrupted: "Our worker stopped during the attempt.",
    key_service_away: "The key service of this installation could not be reached, so the requests could not be signed.",
    secret_unreadable:
      "The stored secret cannot be read: it was changed in the database, or its key is gone. Remove this system and add it again, and tell your operator.",
    position_unknown:
      "An older backup of Countersign was restored. Its log does not have the last entry that this system got. Choose where to continue.",
  } as Readonly<Record<string, string>>,
  status: (code: string) => `The system answered with status ${code}. Only 200 to 299 accepts a batch.`,
  test: "Test",
  testOf: (target: string) => `Test ${target}`,
  accepted: {
    webhook: "The system accepted a test line.",
    syslog: "A test line was sent. Syslog has no receipts, so look in your system whether it has arrived.",
  } satisfies Record<AuditSinkKind, string>,
  notAccepted: (error: string) => `The test line was not accepted. ${error}`,
  turnOff: "Turn off",
  turnOn: "Turn on",
  restart: "Continue",
  restartOf: (target: string) => `Continue sending to ${target}`,
  restartLead: "The service cannot tell which entries this system has.",
  from: "Entries",
  begin: { now: "From now on", beginning: "From the beginning" } satisfies Record<AuditSinkFrom, string>,
  fromHint: "From the beginning sends everything that your organization has recorded so far, and what follows.",
  add: "Add system",
  kind: "Kind",
  kindHints: {
    webhook: "POST requests with up to 500 JSON lines, signed like webhooks.",
    syslog: "Messages of RFC 5424 over TLS. Syslog has no receipts: up to 500 entries can be lost when the connection breaks.",
  } satisfies Record<AuditSinkKind, string>,
  target: "Address",
  targetHints: {
    webhook: "Such as https://logs.example.com/countersign",
    syslog: "Such as syslog+tls://logs.example.com:6514",
  } satisfies Record<AuditSinkKind, string>,
  secretTitle: "Secret of the audit export",
  secretLead:
    "System added. Every request to it is signed with this secret, which is not shown again. Store it where your receiver keeps its secrets.",
  secret: "secret",
  cancel: "Cancel",
  remove: "Remove",
  removeOf: (target: string) => `Remove ${target}`,
  removeTitle: "Remove system",
  /** follows the address */
  removeText: " gets no more audit entries. Those that it has stay there. To pause, turn it off instead.",
} as const;
export type Words = typeof en;
