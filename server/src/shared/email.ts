/** Two addresses are one when they differ in the case of ASCII letters only; the database's `email_key` does the same. */
export function emailKey(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
