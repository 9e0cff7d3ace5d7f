/** The words of an envelope's audit trail. A table of another language must have the same members. */
export const en = {
  caption: "Timeline",
  columns: { event: "Event", who: "Who", when: "When", number: "No.", hash: "Hash" },
  none: "No activity yet.",
  details: "Details",
  byTest: "test operation",
  erased: "The details were erased. The entry and its hash are kept.",
};
