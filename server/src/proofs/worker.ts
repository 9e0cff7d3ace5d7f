// Runs in the threads of the pool, one job at a time. Uses argon2's synchronous functions, because the asynchronous ones would use libuv's
// threads, which all file reads of the process need.
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { PARAMETERS } from "./parameters.ts";
import { judgePassword } from "./password-rules.ts";
import type { Answer, Report, Task } from "./protocol.ts";

const port = parentPort;
if (port === null) throw new Error("worker.js is started by the pool of proofs/");

// A lower priority than the main thread, like the threads for PDFs. Only Linux has a priority per thread; elsewhere this would change
// the whole process.
const STEPS_BELOW = 7;
if (process.platform === "linux") setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BELOW));

async function answerTo(task: Task): Promise<Answer> {
  if (task.kind === "hash" || task.kind === "verify") return argon2(task);
  if (task.kind === "judge") return judgePassword(task.text, task.own, task.breached_file);
  const webauthn = await import("./webauthn.ts");
  if (task.kind === "register") return webauthn.register(task.site, task.challenge, task.given);
  return webauthn.logIn(task.site, task.challenge, task.given, task.passkey);
}

function argon2(task: Extract<Task, { kind: "hash" | "verify" }>): string | boolean {
  try {
    return task.kind === "hash" ? hashSync(task.text, PARAMETERS) : verifySync(task.stored, task.text);
  } catch (error) {
    // The stored text is not a hash. The library's message contains neither the hash nor the text.
    throw new Error(`argon2 refused its input: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const work = (task: Task): Promise<Report> =>
  answerTo(task).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ failure: messageOf(error) }),
  );

port.on("message", async (task: Task) => port.postMessage(await work(task)));
