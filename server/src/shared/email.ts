/** Addresses that differ only in the case of ASCII letters are the same. The database function `email_key` works the same way. */
export function emailKey(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
