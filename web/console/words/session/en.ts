/** The words of the dialog about a session that has ended. They are loaded with the login page. A table of another language must have the same members. */
export const en = {
  ended: "Your session has ended",
  endedText: "Log in to continue. Everything you entered is still here.",
  password: (email: string) => `Password for ${email}`,
  wrong: "Wrong password",
  signOut: "Sign out",
  logIn: "Log in",
};
