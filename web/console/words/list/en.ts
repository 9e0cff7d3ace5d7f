/** The words of the list of envelopes. A table of another language must have the same members. */
export const en = {
  columns: { document: "Document", people: "People", status: "Status", signed: "Signed", activity: "Last change" },
  notSent: "Not sent",
  signed: (done: number, all: number) => `${done} of ${all}`,
  tag: ", tag ",
  person: (name: string, standing: string) => `${name}, ${standing}`,
  standings: { done: "signed", waiting: "not signed yet", refused: "declined", later: "not asked yet" },
  morePeople: (count: number) => `+${count}`,

  views: {
    all: "All",
    waitingForMe: "Waiting for me",
    inProgress: "In progress",
    drafts: "Drafts",
    completed: "Completed",
    mine: "Mine",
    discarded: "Discarded",
  },

  filters: {
    search: "Search",
    searchHint: "Document, person, tag or reference",
    status: "Status",
    anyStatus: "Any status",
    open: "In progress",
    counted: (name: string, count: string) => `${name} (${count})`,
    tag: "Tag",
    anyTag: "Any tag",
    anyDate: "Any date",
    between: (from: string, to: string) => `${from} – ${to}`,
    since: (from: string) => `Since ${from}`,
    until: (to: string) => `Until ${to}`,
    from: "Created from",
    to: "Created until",
    clearDates: "Any date",
    sort: "Sort by",
  },

  selection: {
    label: "Actions for the selection",
    count: (count: number) => `${count} selected`,
    remind: "Remind",
    tag: "Tag",
    download: "Download",
    downloadLabel: "Download as ZIP",
    void: "Void",
    clear: "Clear selection",
    downloaded: (count: number) =>
      count === 1
        ? "The document was downloaded as a ZIP file."
        : `The documents of ${count} envelopes were downloaded as a ZIP file. If one could not be included, the file “Not included.txt” in it gives the reason.`,
  },
  download: "Download",
  expires: (on: string, when: string) => `Expires ${on}, ${when}`,
  files: {
    button: "Download",
    label: "Download files of the envelope",
    document: "Document (PDF)",
    certificate: "Completion certificate (PDF)",
    trail: "Audit trail (CSV)",
    evidence: "Evidence (ZIP)",
  },
  export: "Export CSV",
  create: "New envelope",
} as const;
export type Words = typeof en;
