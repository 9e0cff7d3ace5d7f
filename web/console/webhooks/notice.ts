/** A message about the result of an action, with an undo where possible. */
export interface Notice {
  readonly words: string;
  readonly undo?: () => void;
}
