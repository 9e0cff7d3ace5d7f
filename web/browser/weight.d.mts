/** The scripts that a signer loads in English, from opening the page to the signature. */
export function scriptsToSign(): readonly string[];

/** Bytes of a page after gzip -9. */
export function pageWeight(widget?: "sign" | "vault"): {
  /** up to the signature, in English */
  readonly js: number;
  /** including parts that only some signers need, or only after signing */
  readonly all_js: number;
  readonly css: number;
  /** including the boot script */
  readonly shell: number;
  /** the largest language file; English is part of the scripts */
  readonly language: number;
};

/** The same for the console. */
export function consoleWeight(): {
  /** needed for the sign-in form */
  readonly login: number;
  /** what each screen adds to the login, by its module */
  readonly screens: Readonly<Record<string, number>>;
  /** the largest of these */
  readonly screen: number;
  /** what the wizard's step with the builder adds to the login */
  readonly fields: number;
  /** what the field builder adds */
  readonly builder: number;
  readonly all_js: number;
  readonly css: number;
  readonly shell: number;
};
