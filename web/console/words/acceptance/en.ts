/** The words of the acceptance of the certification terms. A table of another language must have the same members. */
export const en = {
  terms: (version: string) => `Certification terms, version ${version}`,
  accept: (version: string) => `I accept the certification terms, version ${version}`,
  notTicked: "Tick the box to accept the terms.",
  by: "Accepted by",
  byHint: (email: string) => `Recorded with ${email}, the time and the version of the terms.`,
  empty: "must not be empty",
};
