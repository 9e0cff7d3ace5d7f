// Programs that samples are: those that end, and servers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const ENDS_WITHIN_MS = 120_000;
const LISTENS_WITHIN_MS = 60_000;
const POLL_MS = 50;

/**
 * @param {readonly string[]} command @param {{ cwd: string, env: Record<string, string>, input?: Buffer }} options
 * @returns {Promise<{ code: number | null, out: string, err: string }>}
 */
export async function runProgram([program = "", ...args], { cwd, env, input }) {
  const child = spawn(program, args, { cwd, env, timeout: ENDS_WITHIN_MS, stdio: ["pipe", "pipe", "pipe"] });
  const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
  child.stdin.end(input);
  const [code] = await once(child, "close");
  return { code, out: out(), err: err() };
}

/** @param {import("node:stream").Readable} stream */
function textOf(stream) {
  /** @type {Buffer[]} */
  const pieces = [];
  stream.on("data", (piece) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString();
}

/**
 * A server that listens. `go run` starts another program, so each has a process group of its own.
 * @param {readonly string[]} command @param {{ cwd: string, env: Record<string, string>, port: number }} options
 */
export async function startServer([program = "", ...args], { cwd, env, port }) {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
  const ended = once(child, "close");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid);
    await ended;
  };
  for (const until = Date.now() + LISTENS_WITHIN_MS; !(await isListening(port)); await delay(POLL_MS)) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error(`${program} does not listen on port ${port}:\n${out()}${err()}`);
    }
  }
  return { url: `http://localhost:${port}`, said: () => out() + err(), stop };
}

/** @param {number} port @returns {Promise<boolean>} */
function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/**
 * A web server that runs a CGI program (RFC 3875) for each request.
 * @param {readonly string[]} command @param {{ cwd: string, env: Record<string, string>, port: number }} options
 */
export async function startCgi(command, { cwd, env, port }) {
  /** @type {string[]} */
  const said = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).map(([name, value]) => [
      `HTTP_${name.toUpperCase().replaceAll("-", "_")}`,
      String(value),
    ]);
    const { code, out, err } = await runProgram(command, {
      cwd,
      env: { ...env, ...Object.fromEntries(headers) },
      input: Buffer.concat(chunks),
    });
    said.push(out, err);
    const status = code === 0 ? Number(/^Status: (\d{3})/.exec(out)?.[1] ?? 500) : 500;
    response.writeHead(status).end(status === 204 ? undefined : out.split("\r\n\r\n")[1]);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://localhost:${port}`, said: () => said.join(""), stop };
}
