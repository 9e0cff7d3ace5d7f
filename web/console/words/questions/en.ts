/** The words of identity questions. A table of another language must have the same members. */
export const en = {
  title: (name: string) => `Questions for ${name}`,
  lead: (name: string) =>
    `${name} must answer these questions before seeing the document. Choose answers that only the two of you know. The answers are never shown again. These questions replace any that were set before.`,
  cancel: "Cancel",
  set: "Set questions",
  done: (name: string) => `Questions set for ${name}.`,
  numberedFor: (number: number, name: string) => `Question ${number} for ${name}`,
  numbered: (number: number) => `Question ${number}`,
  example: "In which town did we first meet?",
  answer: (number: number) => `Answer ${number}`,
  answerAgain: (number: number) => `Answer ${number} again`,
  add: "Add question",
  remove: "Remove question",
  empty: "must not be empty",
  different: "does not match the answer",
};
