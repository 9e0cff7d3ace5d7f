const SHOWN = 3;

/** The words of the wizard. A table of another language must have the same members. */
export const en = {
  back: "Back",
  next: "Save and continue",
  /** The status line about saving. */
  states: {
    saving: "Saving…",
    saved: "Saved",
    unsaved: "Not saved yet",
    incomplete: (names: readonly string[]) =>
      `Not saved yet: ${names.slice(0, SHOWN).join(", ")}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ""}`,
    unreachable: "Not saved: Countersign is not responding. Trying again…",
    failed: "Not saved. Trying again…",
    conflict: "Not saved: changed in another window",
    errors: (count: number) => `Not saved: ${count === 1 ? "1 entry has an error" : `${count} entries have errors`}`,
    refused: "Not saved",
  },
  blocked: {
    toPrepare: "prepare envelopes",
    noDraft: "This envelope is no longer a draft and cannot be edited here.",
    entries: "Your entries in this step are still here, but can no longer be saved.",
    open: "Open envelope",
  },
  conflict: {
    text: "This step was changed in another window or by another person. Your entries are still here, but the latest are not saved.",
    other: "Load the other version",
    own: "Keep mine and save again",
  },
};
