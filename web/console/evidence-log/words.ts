/** Codes and errors of the log in plain words. */

/** What became of a request to a witness. Other errors are sentences already. */
const failures: Readonly<Record<string, string>> = {
  timeout: "It did not answer in time",
  dns_error: "Its host name was not found",
  connection_error: "It could not be reached",
  tls_error: "Its TLS certificate was not accepted",
  blocked_address: "Its address is not allowed",
  interrupted: "The request was interrupted",
};

export const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

export const errorWords = (error: string): string => failures[error] ?? sentence(error.replace(/^conflict: /, "it refused: "));

export const counted = (count: number, one: string, many: string): string => `${count.toLocaleString()} ${count === 1 ? one : many}`;
