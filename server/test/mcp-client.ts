import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect } from "vitest";

/** A client of the Model Context Protocol, as programs with AI agents have one: it starts the server and speaks to it line by line. */
export interface McpClient {
  readonly child: ChildProcessWithoutNullStreams;
  /** what the server says of itself when the client comes */
  readonly hello: Json;
  /** the result of a request; throws the sentence of a protocol error */
  request(method: string, params?: object): Promise<Json>;
  /** what the agent reads of a tool's result */
  call(tool: string, args?: object): Promise<{ readonly isError: boolean; readonly texts: readonly string[] }>;
  /** the data of a tool that must succeed */
  data(tool: string, args?: object): Promise<Json>;
  /** the sentence of a tool that must be refused */
  refusal(tool: string, args?: object): Promise<string>;
  /** closes the server's standard input, as clients do. The exit code */
  end(): Promise<number | null>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they are about to check
export type Json = any;

/** The last version with a handshake, and the first one without, where every request says what it speaks. */
export const PROTOCOL = "2025-11-25";
export const WITHOUT_HANDSHAKE = "2026-07-28";

export interface Started {
  readonly file: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const PROGRAM = { name: "test", version: "1" };

/** Starts the server and asks what it is. */
export async function mcpClient({ file, args = [], env }: Started, protocol = PROTOCOL): Promise<McpClient> {
  const isModern = protocol === WITHOUT_HANDSHAKE;
  const meta = {
    "io.modelcontextprotocol/protocolVersion": protocol,
    "io.modelcontextprotocol/clientInfo": PROGRAM,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env.PATH, ...env } });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const said: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  const waiting = new Map<number, (message: Json) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;
  const ask = async (method: string, params: object = {}): Promise<Json> => {
    const id = ++last;
    const answer = new Promise<Json>((resolve) => waiting.set(id, resolve));
    send({ id, method, params: isModern ? { ...params, _meta: meta } : params });
    const message = await Promise.race([answer, closed]);
    if (message === null || typeof message === "number") throw new Error(`the server ended with ${message}: ${said.join("")}`);
    return message;
  };
  const request = async (method: string, params?: object) => {
    const { result, error } = await ask(method, params);
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const call: McpClient["call"] = async (tool, args = {}) => {
    const { content, isError = false } = await request("tools/call", { name: tool, arguments: args });
    return { isError, texts: content.map(({ text }: { text: string }) => text) };
  };
  const hello = isModern
    ? await request("server/discover")
    : await request("initialize", { protocolVersion: protocol, capabilities: {}, clientInfo: PROGRAM });
  if (!isModern) send({ method: "notifications/initialized" });
  return {
    child,
    hello,
    request,
    call,
    data: async (tool, args) => {
      const { isError, texts } = await call(tool, args);
      expect([isError, isError ? texts[0] : ""]).toEqual([false, ""]);
      return JSON.parse(texts[0] ?? "");
    },
    refusal: async (tool, args) => {
      const { isError, texts } = await call(tool, args);
      expect([isError, texts.length]).toEqual([true, 1]);
      return texts[0] ?? "";
    },
    end: () => {
      child.stdin.end();
      return closed;
    },
  };
}

/** Runs the server without a client, for what it says when it refuses to start. */
export async function runMcp({ file, args = [], env }: Started): Promise<{ readonly code: number | null; readonly err: string }> {
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  const err: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, err: err.join("") };
}
