/** How far a person is, for screen readers. A table of another language must have the same members. */
export const en = {
  standings: { done: "done", refused: "did not act", waiting: "has not acted", later: "gets a copy" },
  person: (name: string, standing: string) => `${name}: ${standing}`,
};
