import { spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseAccount, spawnAs } from "../src/db/embedded/account.ts";
import { freePort } from "./process.ts";
import { type Proxy as DatabaseProxy, proxyTo } from "./proxy.ts";
import { until } from "./until.ts";

/** PGBOUNCER: another version than the installed one. Debian installs it in a folder that is only on an administrator's path. */
const PLACES = process.env.PGBOUNCER === undefined ? ["pgbouncer", "/usr/sbin/pgbouncer"] : [process.env.PGBOUNCER];

/** The path of the program; null if it is not installed. */
export const findPgBouncer = (): string | null => PLACES.find((place) => spawnSync(place, ["--version"]).status === 0) ?? null;

/** Whether it knows the statements that clients prepare, as it does from 1.21 on. */
export function keepsStatements(program: string): boolean {
  const said = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout;
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(said) ?? [];
  if (major === undefined) throw new Error(`${program} --version printed ${said}`);
  return Number(major) > 1 || Number(minor) >= 21;
}

export interface PgBouncer {
  /** the same login and database, through the pooler */
  through(url: string): string;
  /** between the pooler and the server */
  readonly server: Pick<DatabaseProxy, "shut" | "open">;
  stop(): Promise<void>;
}

/**
 * A real pooler in front of the server of `urls`, which silently drops startup options. In transaction mode it has two connections for each
 * login, so that they change hands all the time.
 */
export async function startPgBouncer(
  program: string,
  urls: readonly string[],
  mode: "session" | "transaction" = "session",
): Promise<PgBouncer> {
  const [folder, port, proxy] = [await mkdtemp(join(tmpdir(), "countersign-pgbouncer-")), await freePort(), await proxyTo(urls[0] ?? "")];
  const logins = urls.map((url) => new URL(url));
  // Its file has the plain passwords, so that it can log in to the server with each login.
  await writeFile(join(folder, "users"), logins.map(({ username, password }) => `"${username}" "${password}"\n`).join(""));
  await writeFile(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=127.0.0.1 port=${new URL(proxy.url).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${join(folder, "users")}
pool_mode = ${mode}
${mode === "transaction" ? "default_pool_size = 2\n" : ""}${keepsStatements(program) ? "max_prepared_statements = 200\n" : ""}server_login_retry = 1
query_wait_timeout = 5
ignore_startup_parameters = options
`,
  );
  await chmod(folder, 0o755);
  // It refuses to run as root, as PostgreSQL does.
  const child = spawn(program, [join(folder, "pgbouncer.ini")], { ...spawnAs(await chooseAccount()), stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await until(`PgBouncer to listen:\n${said}`, () => answers(port));
  return {
    through(url) {
      const changed = new URL(url);
      changed.searchParams.delete("host");
      changed.host = `127.0.0.1:${port}`;
      return changed.href;
    },
    server: proxy,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
