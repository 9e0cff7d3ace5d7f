/** The words for switching between organizations. A table of another language must have the same members. */
export const en = {
  switchTo: (name: string) => `Switch to ${name}`,
  /** a sandbox */
  switchToTest: (name: string) => `Switch to ${name} (test)`,
};
