/** Bytes of a page after gzip -9. */
export function pageWeight(widget?: "sign" | "vault"): {
  /** up to the signature, the dialog for it included, in English */
  readonly js: number;
  /** with what only some signers need, or only afterwards */
  readonly all_js: number;
  readonly css: number;
  /** with its script */
  readonly shell: number;
  /** the largest besides English, which is in the bundle */
  readonly language: number;
};

/** The same of the console. */
export function consoleWeight(): {
  /** up to the form to sign in */
  readonly login: number;
  /** what the builder of fields adds */
  readonly builder: number;
  readonly all_js: number;
  readonly css: number;
  readonly shell: number;
};
