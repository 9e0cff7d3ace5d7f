import { en } from "../words/evidence-log/en.ts";

/** Codes and errors of the log in plain words. */

const w = en.shared;

/** What became of a request to a witness. Other errors are sentences already. */
const failures: Readonly<Record<string, string>> = {
  timeout: w.itDidNot,
  dns_error: w.itsHostName,
  connection_error: w.itCouldNot,
  tls_error: w.itsTlsCertificate,
  blocked_address: w.itsAddressIs,
  interrupted: w.theRequestWas,
};

export const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

export const errorWords = (error: string): string => failures[error] ?? sentence(error.replace(/^conflict: /, w.itRefused));
