/** A job for a thread. */
export type Task =
  | { readonly kind: "hash"; readonly text: string }
  | { readonly kind: "verify"; readonly stored: string; readonly text: string };

/** The result of a thread: the hash, whether the text matches, or why it failed. */
export type Report = { readonly answer: string | boolean } | { readonly failure: string };
