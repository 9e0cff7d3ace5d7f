/** The words that open the search over everything. They are part of the frame, so there are few. */
export const en = {
  search: "Search",
  /** follows `search` for screen readers */
  everything: "everything",
  button: "Search everything",
  keys: "Ctrl K",
  keysMac: "⌘ K",
  notLoaded: "This part of the console could not be loaded. Your network may be down, or Countersign was just upgraded.",
  reload: "Reload page",
} as const;
export type Words = typeof en;
