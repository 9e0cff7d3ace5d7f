/** The words around the steps of the wizard, and of its fields step. A table of another language must have the same members. */
export const en = {
  names: { document: "Documents", people: "Recipients", fields: "Fields", options: "Options", review: "Review and send" },
  close: "Close",
  title: "Prepare envelope",
  titleOf: (name: string) => `Prepare ${name}`,
  /** the name of an API key, such as that of a program for which people review what it prepared */
  preparedBy: (name: string) => `Prepared by ${name}`,
  checksLost: "Access codes and identity questions are not saved until the envelope is sent. If you leave, they are lost.",
  unsaved: "You have unsaved changes in this step.",
  saved: "Complete entries are saved as you type.",
  notKept: "Access codes, identity questions and accepted terms are lost if you leave before sending.",
  allHaveFields: "Every signer has a signature field.",
  withoutFields: (names: string, count: number) =>
    `You can skip this step. A signature page is added at the end for ${names}, who ${count === 1 ? "has" : "have"} no signature field yet.`,
  more: (count: number) => `${count} more`,
  all: (count: number) => `Show all ${count}`,
  back: "Back",
  skip: "Skip fields",
  next: "Continue",
};
