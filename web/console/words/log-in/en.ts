/** The words of logging in, in the first part of the console that is loaded. A table of another language must have the same members. */
export const en = {
  title: "Log in",
  email: "E-mail address",
  password: "Password",
  button: "Log in",
  forgot: "Forgot password?",
} as const;
export type Words = typeof en;
