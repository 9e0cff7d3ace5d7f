/** What the pool asks of a thread. */
export type Task =
  | { readonly kind: "hash"; readonly text: string }
  | { readonly kind: "verify"; readonly stored: string; readonly text: string };

/** What the thread answers: the hash, whether the text matches, or why neither could be found out. */
export type Report = { readonly answer: string | boolean } | { readonly failure: string };
