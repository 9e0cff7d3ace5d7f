import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type NoteKey, noteKeyTypes, readVkey, writeVkey } from "@countersign/evidence";
import type { Witness } from "./cosign-checkpoint.ts";
import { listen } from "./listen.ts";
import { fetchHttp, type Polled, pollOnce } from "./poll.ts";
import { BadKeyFile, openWitnessKey } from "./witness-key.ts";
import { BadState, openWitnessState } from "./witness-state.ts";

export const WITNESS_USAGE = `countersign-verify witness --log <vkey> --key <file> --state <folder> (--listen <address:port> | --poll <url>)

  --log     the key of a log to witness, as GET /log/checkpoint of the log signs; several times for several logs or keys
  --key     file with the key of this witness; made on first use, readable only by its owner
  --name    the name of this witness, used when its key is made; default: <host name>/witness
  --state   folder with the latest checkpoint of each log. Keep it: a witness without it would accept a second history
  --listen  answer logs that ask for a cosignature (C2SP tlog-witness), for example at 127.0.0.1:8420
  --poll    fetch the checkpoint and the tiles of a log at this address, for example https://sign.example.com/log
  --every   seconds between two polls; default 600. 0 polls once: exit code 0 if nothing is wrong, 1 for a fork or a failure
  --out     folder for the cosigned notes and the tiles of --poll; default: the folder of --state
`;

const POLL_SECONDS = 600;

type Arguments = {
  readonly logs: readonly NoteKey[];
  readonly key: string;
  readonly name: string;
  readonly state: string;
  readonly listen: { readonly host: string; readonly port: number } | null;
  readonly poll: string | null;
  readonly every: number;
  readonly out: string;
};

/** Returns the exit code: 0 after a stop signal or a single poll, 1 for a fork or a failure of a single poll, 2 for wrong usage. */
export async function runWitness(args: readonly string[], write: (text: string) => void, stop = stopSignal): Promise<number> {
  const wanted = readArguments(args);
  if (typeof wanted === "string") {
    write(`${wanted}\n\n${WITNESS_USAGE}`);
    return 2;
  }
  const line = (text: string) => write(`${text}\n`);
  try {
    const own = openWitnessKey(wanted.key, wanted.name);
    const state = openWitnessState(wanted.state);
    try {
      line(writeVkey(own.key));
      const witness: Witness = { own, logs: wanted.logs, state, now: Date.now };
      return wanted.listen === null ? await poll(witness, wanted, line, stop()) : await serve(witness, wanted.listen, line, stop());
    } finally {
      state.close();
    }
  } catch (error) {
    if (!(error instanceof BadKeyFile || error instanceof BadState || (error instanceof Error && "syscall" in error))) throw error;
    line(error.message);
    return 2;
  }
}

async function serve(witness: Witness, { host, port }: { host: string; port: number }, line: (text: string) => void, stopped: AbortSignal) {
  const listening = await listen(witness, host, port, line);
  line(`listening at ${listening.url}`);
  await aborted(stopped);
  await listening.close();
  return 0;
}

async function poll(witness: Witness, { poll: url, every, out }: Arguments, line: (text: string) => void, stopped: AbortSignal) {
  for (;;) {
    const polled = await pollOnce(witness, fetchHttp, (url ?? "").replace(/\/+$/, ""), out);
    line(sentenceFor(polled));
    if (every === 0) return polled.kind === "fork" || polled.kind === "failed" ? 1 : 0;
    await pause(every * 1000, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return 0;
  }
}

function sentenceFor(polled: Polled): string {
  if (polled.kind === "fork") return `FORK: ${polled.says}`;
  if (polled.kind === "failed") return `FAILED: ${polled.says}`;
  return `checkpoint ${polled.tree_size} ${{ cosigned: "cosigned", unchanged: "is cosigned already", older: "is older than the cosigned one" }[polled.kind]}`;
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

const options = {
  log: { type: "string", multiple: true },
  key: { type: "string" },
  name: { type: "string" },
  state: { type: "string" },
  listen: { type: "string" },
  poll: { type: "string" },
  every: { type: "string" },
  out: { type: "string" },
} as const;

function readArguments(args: readonly string[]): Arguments | string {
  try {
    const { values } = parseArgs({ args: [...args], options });
    const { log = [], key, state, listen: address, poll: url = null } = values;
    if (log.length === 0 || key === undefined || state === undefined) return "Give --log, --key and --state.";
    const logs = log.flatMap((text) => readVkey(text) ?? []).filter(({ type }) => type === noteKeyTypes.ed25519);
    if (logs.length !== log.length) return "--log must be the key of a log, such as sign.example.com/log/9f2c+c74f20a3+ARpc….";
    if ((address === undefined) === (url === null)) return "Give either --listen or --poll.";
    if (url !== null && !/^https?:\/\//.test(url)) return "--poll must be an address that starts with https:// or http://.";
    const [, host = "", port = ""] = /^\[?([^\]]+)\]?:([0-9]{1,5})$/.exec(address ?? "127.0.0.1:0") ?? [];
    if (host === "" || Number(port) > 65_535) return "--listen must be an address and a port, such as 127.0.0.1:8420.";
    const every = Number(values.every ?? POLL_SECONDS);
    if (!Number.isInteger(every) || every < 0 || every > 86_400) return "--every must be a number of seconds from 0 to 86400.";
    const name = values.name ?? `${hostname()}/witness`;
    const listening = address === undefined ? null : { host, port: Number(port) };
    return { logs, key, name, state, listen: listening, poll: url, every, out: values.out ?? state };
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
