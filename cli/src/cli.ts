import { parseArgs } from "node:util";
import { CountersignError, LiveModeError } from "@countersign/client";
import { eventTypes } from "@countersign/client/lists";
import { isOfType, readFollower } from "./event-follower.ts";
import { listen } from "./listen.ts";
import { request } from "./request.ts";
import { sign } from "./sign.ts";
import { settingsOf, type Terminal, UsageError } from "./terminal.ts";
import { trigger } from "./trigger.ts";
import { whoAmI } from "./who-am-i.ts";

const USAGE = `countersign-dev: the Countersign API from a terminal.

  countersign-dev whoami
      Prints the organization of the key, whether it is a sandbox, and what the key may do.

  countersign-dev listen --forward-to URL [--events TYPES] [--since TIME]
      Sends each new event to URL, signed like a webhook. TYPES: envelope.sent,vault.* and so on.
      TIME: also events from then on, such as 2026-01-05T10:00:00Z.

  countersign-dev trigger TYPE [--envelope ID]
      Has a sandbox send an event with sample data, such as: trigger vault.stored

  countersign-dev sign ENVELOPE [--email ADDRESS] [--value "NAME=VALUE"]
      Signs an envelope of a sandbox in place of everyone who must, or of these addresses.
      --value: what they enter into a field. Both can be given several times.

  countersign-dev request METHOD PATH [-d JSON] [--all] [-i] [-o FILE] [-H "Name: value"]
      Sends a request, such as: request GET "/partner/envelopes?status=sent" --all
      -d: the body; @FILE reads it from a file, @- from standard input.
      --all: every page of a list. -i: also status and headers. -o: saves the response as a file.

Settings: COUNTERSIGN_URL (http://localhost:3000), COUNTERSIGN_API_KEY. Nothing is stored.
`;

/** Runs a command. 0: done. 1: the service refused it, or events were not delivered. 2: wrong arguments. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === "whoami") return await runWhoAmI(rest, terminal);
    if (command === "listen") return await runListen(rest, terminal);
    if (command === "trigger") return await runTrigger(rest, terminal);
    if (command === "sign") return await runSign(rest, terminal);
    if (command === "request") return await runRequest(rest, terminal);
    (command === undefined || command === "help" || command === "--help" ? terminal.out : terminal.err)(USAGE);
    return command === "help" || command === "--help" ? 0 : 2;
  } catch (error) {
    if (terminal.signal.aborted) return 0;
    if (error instanceof UsageError || isArgumentError(error)) {
      terminal.err(`${(error as Error).message}\n`);
      return 2;
    }
    if (!(error instanceof CountersignError || error instanceof LiveModeError)) throw error;
    terminal.err(`${error.message}\n`);
    return 1;
  }
}

const isArgumentError = (error: unknown): boolean =>
  error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

async function runWhoAmI(args: string[], terminal: Terminal): Promise<number> {
  parseArgs({ args, options: {} });
  return whoAmI(settingsOf(terminal), terminal);
}

async function runListen(args: string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { "forward-to": { type: "string" }, events: { type: "string" }, since: { type: "string" } },
  });
  const target = values["forward-to"];
  if (target === undefined || !URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol)) {
    throw new UsageError("--forward-to must be the address of your receiver, such as http://localhost:4000/webhooks");
  }
  const since = values.since === undefined ? null : new Date(values.since);
  if (since !== null && Number.isNaN(since.getTime())) throw new UsageError("--since must be a time such as 2026-01-05T10:00:00Z");
  const { url, apiKey } = settingsOf(terminal);
  const types = values.events?.split(",").map((type) => type.trim()) ?? [];
  const unknown = types.find((type) => !eventTypes.some((one) => isOfType(one, type)));
  if (unknown !== undefined)
    throw new UsageError(`"${unknown}" is not a type of events. Types: ${eventTypes.join(", ")}; also vault.* or *`);
  const follower = await readFollower({ baseUrl: url, apiKey, since, types, signal: terminal.signal });
  const { refused } = await listen({ follower, target, apiKey, print: (line) => terminal.out(`${line}\n`), signal: terminal.signal });
  return refused === 0 ? 0 : 1;
}

async function runTrigger(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { envelope: { type: "string" } } });
  const [type, ...more] = positionals;
  if (type === undefined || more.length > 0) throw new UsageError("Name one type of events: trigger vault.stored");
  const event_type = eventTypes.find((one) => one === type);
  if (event_type === undefined) throw new UsageError(`"${type}" is not a type of events. Types: ${eventTypes.join(", ")}`);
  const { envelope: envelope_id } = values;
  return trigger(settingsOf(terminal), { event_type, ...(envelope_id !== undefined && { envelope_id }) }, terminal);
}

async function runSign(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { email: { type: "string", multiple: true, default: [] }, value: { type: "string", multiple: true, default: [] } },
  });
  const [envelope_id, ...more] = positionals;
  if (envelope_id === undefined || more.length > 0) throw new UsageError("Name one envelope: sign env_…");
  return sign(settingsOf(terminal), { envelope_id, emails: values.email, values: values.value }, terminal);
}

async function runRequest(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      data: { type: "string", short: "d" },
      all: { type: "boolean", default: false },
      include: { type: "boolean", short: "i", default: false },
      output: { type: "string", short: "o" },
      header: { type: "string", short: "H", multiple: true, default: [] },
    },
  });
  const [method, path, ...more] = positionals;
  if (method === undefined || path === undefined || more.length > 0)
    throw new UsageError('Name a method and a path: request GET "/partner/envelopes"');
  return request({ ...settingsOf(terminal), method: method.toUpperCase(), path, ...values }, terminal);
}

/** The command in this process. Ctrl+C ends it once, and kills it the second time. */
export async function runHere(): Promise<number> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  return runCli(process.argv.slice(2), {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    },
    signal: stop.signal,
  });
}
