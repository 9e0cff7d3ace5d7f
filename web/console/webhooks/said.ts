/** What happened, and how it is taken back where it can be. */
export interface Said {
  readonly words: string;
  readonly undo?: () => void;
}
