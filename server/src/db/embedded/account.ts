// PostgreSQL refuses to run as root. So a service that runs as root uses an unprivileged account for its database; other
// services run it under their own account.
import { spawn } from "node:child_process";

export interface Account {
  uid: number;
  gid: number;
}

export interface Finished {
  code: number | null;
  output: string;
}

interface RunOptions {
  as?: Account | null;
  cwd?: string;
  input?: string;
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** The environment of PostgreSQL's programs. It has none of our PG* variables, locales or secrets. */
export const childEnv = (): Record<string, string> => ({ LC_ALL: "C", TZ: "UTC", PATH: process.env.PATH ?? "/usr/bin:/bin" });

/** Node requires a signed 32-bit number; the `nobody` of macOS is 4294967294. */
export const spawnAs = (account: Account | null): Partial<Account> =>
  account === null ? {} : { uid: account.uid | 0, gid: account.gid | 0 };

/** Runs a program until it ends. If it cannot be started, the code is null and the output is the reason. */
export function run(command: string, args: string[], { as = null, cwd = "/", input = "" }: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...spawnAs(as), cwd, env: childEnv() });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => resolve({ code: null, output: error.message }));
    child.on("close", (code) => resolve({ code, output: output.trim() }));
    child.stdin.on("error", () => undefined); // the program ended without reading its input; code and output say why
    child.stdin.end(input);
  });
}

/** The account for a new cluster; null for our own. initdb requires an account with an entry in the user database. */
export async function chooseAccount(): Promise<Account | null> {
  if (!isRoot()) return null;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
    if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and this system has neither a user `postgres` nor a user `nobody` to run it as. " +
      "Create one, start the service as another user, or set DATABASE_URL.",
  );
}

/** Tries it instead of reading mode bits, because access lists and mounts matter too. */
export async function canEnter(account: Account | null, folder: string): Promise<boolean> {
  if (account === null) return true;
  return (await run("/bin/sh", ["-c", 'test -x "$0"', folder], { as: account })).code === 0;
}
