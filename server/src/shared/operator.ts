import { userInfo } from "node:os";

// Longer than any login name; what an environment variable holds may be anything.
const MAX_CHARACTERS = 100;

/** Who runs this program: the login name of its user, and with sudo the person behind it. For audit entries of what the command line did. */
export function operatorName(): string {
  const login = loginName();
  const sudo = (process.env.SUDO_USER ?? "").replace(/\p{Cc}/gu, "").slice(0, MAX_CHARACTERS);
  return sudo === "" || sudo === login ? login : `${login} (sudo by ${sudo})`;
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    // A container may run as a number that has no name.
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
