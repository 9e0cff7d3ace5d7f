/** The words of passkeys. A table of another language must have the same members. */
export const en = {
  logIn: "Log in with a passkey",
  use: "Use a passkey",
  add: "Add passkey",
  addTitle: "Add a passkey",
  addLead:
    "A passkey is kept by this device or your password manager and opened with your fingerprint, face or PIN. It logs in without your password.",
  name: "Name of the device",
  defaultName: "Passkey",
  button: "Add",
  cancel: "Cancel",
  added: (name: string) => `${name} is added.`,
} as const;
export type Words = typeof en;
