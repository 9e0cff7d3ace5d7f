/** One command of the program. Its own arguments come without its name; all output goes to `write`. */
export type Command = {
  readonly name: string;
  /** one line for the list of commands */
  readonly summary: string;
  /** printed for `--help` and for wrong usage */
  readonly usage: string;
  /** returns the exit code */
  readonly run: (args: readonly string[], write: (text: string) => void) => Promise<number>;
};

/** The caller's mistake: unknown options, missing files. Says nothing about a bundle. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage";
}

/** What a program that called us learns without reading the output. */
export const exits = { verified: 0, failed: 1, wrong_usage: 2, not_pinned: 3, too_old: 4, test_record: 5 } as const;
