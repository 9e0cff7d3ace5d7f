import type { BulkBatchState, BulkRowState } from "@countersign/client/types";
import { formatNumber } from "../../format-number.ts";

const number = formatNumber;
const rows = (count: number): string => (count === 1 ? "1 row" : `${number(count)} rows`);
const envelopes = (count: number): string => (count === 1 ? "1 envelope" : `${number(count)} envelopes`);

const states: Record<BulkBatchState, string> = {
  checking: "Checking",
  checked: "Checked",
  refused: "Refused",
  queued: "Waiting",
  running: "Sending",
  paused: "Paused",
  ended: "Finished",
  cancelled: "Cancelled",
};

const rowStates: Record<BulkRowState, string> = {
  ready: "Ready",
  invalid: "Problem",
  sent: "Sent",
  failed: "Failed",
  skipped: "Skipped",
};

/** The words of the screens of bulk sends. Other languages have the type of this table, so a missing text does not compile. */
export const en = {
  title: "Bulk send",
  lead: "One envelope from a template for each row of a CSV file.",
  states,
  rowStates,
  anyState: "Any",
  state: "State",
  number,

  list: {
    caption: "Bulk sends, newest first",
    name: "Name",
    rows: "Rows",
    sent: "Sent",
    created: "Created",
    empty: "No bulk sends yet",
    emptyText: "Open a template and choose Send in bulk.",
    templates: "View templates",
    noMatch: "No matching bulk sends",
    noMatchText: "No bulk send has this state.",
  },

  upload: {
    button: "Send in bulk",
    title: (template: string) => `Send in bulk: ${template}`,
    lead: "Upload a CSV file with one row for each envelope. The rows are checked first. Nothing is sent before you start.",
    role: "send in bulk",
    file: "File",
    change: "Choose another file",
    example: "Download example file",
    people: (roles: string) =>
      roles === ""
        ? "The template names everyone. A row can name other people."
        : `Each row needs a name and an e-mail address for: ${roles}.`,
    fields:
      "A column whose name begins with “field.” fills in a field of the document. An empty cell leaves the field as the template has it.",
    limits: "CSV in UTF-8, up to 10,000 rows and 10 MB.",
    options: "Options for every envelope",
    name: "Name of this bulk send",
    nameHint: "The default is the name of the file.",
    tags: "Tags",
    tagsHint: "Press Enter or comma after each tag.",
    message: "Message",
    messageHint: "A row with a message of its own uses that one.",
    days: "Expires after (days)",
    daysHint: "1 to 365 days after sending.",
    every: "Automatic reminders every … days",
    everyHint: "1 to 30. Leave empty to turn automatic reminders off.",
    vault: "Store in vault automatically after everyone has signed",
    vaultHint: "You accept the certification terms when you start the bulk send.",
    submit: "Check rows",
    sending: "Uploading…",
    fileMissing: "must be chosen",
  },

  checking: "The rows are being checked. You can leave this page.",
  refused: "This file cannot be used. Nothing was sent. Correct it and upload it again.",
  wholeFile: "File",
  problems: "Problems of the file",
  column: "Column",
  problem: "Problem",
  again: "Upload another file",

  check: {
    title: "Check report",
    ready: (ready: number) => (ready === 1 ? "1 row is ready." : `${number(ready)} rows are ready.`),
    invalid: (invalid: number) => (invalid === 1 ? "1 has problems." : `${number(invalid)} have problems.`),
    warned: (warned: number) =>
      warned === 1
        ? "1 row has the same people and values as another row."
        : `${rows(warned)} have the same people and values as other rows.`,
    download: "Download rows with problems",
  },

  start: {
    button: (ready: number) => `Send ${envelopes(ready)}`,
    continue: (ready: number) => `Continue with ${rows(ready)}`,
    title: (ready: number) => `Send ${envelopes(ready)}?`,
    confirm: "Send",
    cancel: "Cancel",
    text: (ready: number) => `${envelopes(ready)} will be created and sent. Envelopes that were sent cannot be called back together.`,
    leaveOut: (invalid: number) => `Leave out ${rows(invalid)} with problems`,
    leaveOutFault: "Tick the box to leave these rows out, or cancel and correct them.",
  },

  queued: "Another bulk send of your organization is running. This one starts after it.",
  running: "Sending. This continues in the background. You can leave this page.",
  announce: (percent: number) => `${percent}% sent or failed`,
  progress: "Rows that were sent or failed",
  ended: (sent: number) => (sent === 1 ? "1 envelope was sent." : `${number(sent)} envelopes were sent.`),
  failed: (failed: number) => (failed === 1 ? "1 row could not be sent." : `${number(failed)} rows could not be sent.`),
  skipped: (skipped: number) => (skipped === 1 ? "1 row was skipped." : `${number(skipped)} rows were skipped.`),
  finishing: "Cancelled. The envelope that was being sent is still sent.",
  unstarted: "Cancelled before it was started.",
  erased: "The contents of the rows have been deleted. Numbers and envelopes stay.",

  paused: {
    template_changed: "Paused. The template was changed or archived after the rows were checked. Check the rows again.",
    certification_terms_outdated: "Paused. The certification terms have changed. Accept the new terms to continue.",
    identity_level_too_low:
      "Paused. Your organization demands a higher identity level than when the rows were checked, and these envelopes do not reach it. Check the rows again.",
    other: (code: string) => `Paused. Sending failed several times in a row, because of a fault in the service (${code}).`,
  },

  retry: "Check unsent rows again",
  cancel: "Cancel bulk send",
  cancelTitle: "Cancel this bulk send?",
  cancelText: (ready: number) => `${rows(ready)} will not be sent. Envelopes that were sent stay as they are.`,
  envelopes: "View envelopes",
  busy: "Downloading…",

  result: "Result",
  figures: { rows: "Rows", ready: "Ready", invalid: "Problems", sent: "Sent", failed: "Failed", skipped: "Skipped" },
  facts: {
    template: "Template",
    openTemplate: "Open template",
    created: "Uploaded",
    started: "Started",
    ended: "Ended",
    file: "SHA-256 of the file",
  },

  rows: {
    title: "Rows",
    caption: "Rows of the file with their state",
    row: "Row",
    person: "First cells",
    what: "Problem",
    envelope: "Envelope",
    open: "Open envelope",
    draft: "Open draft",
    empty: "No matching rows",
    emptyText: "No row of this bulk send has this state.",
    download: "Download CSV",
  },
  filter: (name: string) => `Bulk send: ${name}`,
  removeFilter: (name: string) => `Remove bulk send filter: ${name}`,
} as const;
