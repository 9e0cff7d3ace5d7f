import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../bin/countersign.js", import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** resolves with the exit code; null if a signal ended it */
  readonly exited: Promise<number | null>;
}

type Env = Readonly<Record<string, string>>;

/** Only the variables that a program needs. Settings of the machine must not leak into a test. */
function environment(env: Env): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", LOG_LEVEL: "info", ...env };
}

/** Runs a command of the built program, or of another copy of it, until it ends. */
export async function runCommand(args: readonly string[], env: Env, input = "", program = PROGRAM): Promise<Finished> {
  const child = spawn(process.execPath, [program, ...args], { env: environment(env), stdio: ["pipe", "pipe", "pipe"] });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Runs a command of the built program and kills it as soon as it has printed this. Returns the signal that ended it. */
export async function killCommand(args: readonly string[], env: Env, printed: RegExp): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: environment(env), stdio: ["ignore", "pipe", "ignore"] });
  const stdout = collect(child.stdout);
  child.stdout.on("data", () => printed.test(stdout()) && child.kill("SIGKILL"));
  return new Promise((resolve) => child.once("close", (_code, signal) => resolve(signal)));
}

/**
 * Starts the built program, or another copy of it, as a service in a separate process, and waits until it says that it is running. `log`: an
 * open file for its log, instead of a pipe.
 */
export async function startProcess(
  command: "start" | "serve" | "worker",
  env: Env,
  program = PROGRAM,
  log: number | null = null,
): Promise<Running> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [program, command], {
    env: environment({ PORT: String(port), ...env }),
    stdio: ["ignore", "pipe", log ?? "pipe"],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", () => /is running/.test(stdout()) && resolve());
    child.once("close", (code) => reject(new Error(`${command} ended with ${code} before it ran:\n${stdout()}\n${stderr()}`)));
  });
  return { child, url, stdout, stderr, exited };
}

export async function stopProcess(running: Running, signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
  running.child.kill(signal);
  return running.exited;
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
