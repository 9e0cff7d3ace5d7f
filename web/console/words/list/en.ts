import type { EnvelopeSort } from "@countersign/client/types";

const envelopes = (count: number): string => (count === 1 ? "1 envelope" : `${count} envelopes`);

/** The words of the list of envelopes. A table of another language must have the same members. */
export const en = {
  columns: { document: "Document", people: "People", status: "Status", signed: "Signed", activity: "Last change" },
  notSent: "Not sent",
  signed: (done: number, all: number) => `${done} of ${all}`,
  tag: ", tag ",
  person: (name: string, standing: string) => `${name}, ${standing}`,
  morePeople: (count: number) => `+${count}`,

  views: {
    all: "All",
    waitingForMe: "Waiting for me",
    inProgress: "In progress",
    drafts: "Drafts",
    completed: "Completed",
    mine: "Mine",
    discarded: "Discarded",
    atLeast: (count: string) => `${count}+`,
    label: "Views",
    save: "Save view",
    saveLead: "A view keeps the search and the filters, and shows what matches them when you open it.",
    name: "Name",
    shared: "Show it to every member",
    cancel: "Cancel",
    remove: (name: string) => `Delete view ${name}`,
  },

  filters: {
    search: "Search",
    searchHint: "Document, person, tag or reference",
    status: "Status",
    anyStatus: "Any status",
    open: "In progress",
    counted: (name: string, count: string) => `${name} (${count})`,
    anyDate: "Any date",
    between: (from: string, to: string) => `${from} – ${to}`,
    since: (from: string) => `Since ${from}`,
    until: (to: string) => `Until ${to}`,
    from: "Created from",
    to: "Created until",
    clearDates: "Any date",
    sort: "Sort by",
    sorts: { "-created_at": "Newest", "-updated_at": "Last change", expires_at: "Expiry", envelope_name: "Name" } satisfies Record<
      EnvelopeSort,
      string
    >,
    customer: (name: string) => `Customer: ${name}`,
    removeCustomer: (name: string) => `Remove customer filter: ${name}`,
  },

  selection: {
    label: "Actions for the selection",
    count: (count: number) => `${count} selected`,
    remind: "Remind",
    tag: "Tag",
    download: "Download",
    downloadLabel: "Download as ZIP",
    csv: "CSV",
    csvLabel: "Export as CSV",
    void: "Void",
    clear: "Clear selection",
    acted: {
      tag: (count: number) => `${envelopes(count)} tagged.`,
      remind: (count: number) => `${envelopes(count)} reminded.`,
      void: (count: number) => `${envelopes(count)} voided.`,
    },
    done: (done: number, all: number) => `Done for ${done} of ${all}.`,
    failed: (name: string, error: string) => `${name}: ${error}.`,
    tagMany: (count: number) => `Tag ${envelopes(count)}`,
    tags: "Tags",
    tagsHint: (most: number) => `Press Enter or comma after each tag. An envelope has at most ${most}.`,
    addTags: "Add tags",
    voidMany: (count: number) => `Void ${envelopes(count)}`,
    voidText: "They can no longer be signed, and everyone who was asked to sign is notified. You cannot undo this.",
    reason: "Reason",
    reasonHint: "Shown to signers and in the audit trail.",
    voidAll: "Void envelopes",
    cancel: "Cancel",
    exported: (count: number) => `${envelopes(count)} exported.`,
    downloaded: (count: number) =>
      count === 1
        ? "The document was downloaded as a ZIP file."
        : `The documents of ${count} envelopes were downloaded as a ZIP file. If one could not be included, the file “Not included.txt” in it gives the reason.`,
  },
  download: "Download",
  export: "Export CSV",
  create: "New envelope",
  title: "Envelopes",
  toSend: "send envelopes",
  noMatches: {
    title: "No matching envelopes",
    text: "Remove a filter or try another search. The search finds beginnings of words in names, people, tags and external IDs.",
    all: "Show all envelopes",
  },
  noneYet: {
    title: "No envelopes yet",
    text: "An envelope is a document with the people who sign it. Choose a document, add signers and fields, and send it. Each signer gets a link, and you can follow the progress here.",
  },
} as const;
export type Words = typeof en;
