import { userInfo } from "node:os";

// Longer than any login name. An environment variable can contain anything.
const MAX_CHARACTERS = 100;

/** The login name of the user who runs this program and, with sudo, of the original user. For audit entries of the command line. */
export function operatorName(): string {
  const login = loginName();
  const sudo = (process.env.SUDO_USER ?? "").replace(/\p{Cc}/gu, "").slice(0, MAX_CHARACTERS);
  return sudo === "" || sudo === login ? login : `${login} (sudo by ${sudo})`;
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    // A container can run as a user id without a name.
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
