import { type Logger, pino } from "pino";

/** Secrets that must never be in a log: raw keys, webhook secrets, JWTs, tokens in links, passwords in URLs. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/lk_[0-9a-f]{40}/g, "lk_[redacted]"],
  [/whsec_[A-Za-z0-9+/=_-]+/g, "whsec_[redacted]"],
  [/eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g, "[redacted token]"],
  [/token=[\w.-]+/g, "token=[redacted]"],
  [/(postgres(?:ql)?:\/\/[^:@/\s"]*):[^@/\s"]+@/g, "$1:[redacted]@"],
];

export function redact(line: string): string {
  return secrets.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line);
}

/** Logs to standard error, because standard output is for people: JSON lines, or short lines on a terminal. */
export function makeLogger(level: string, terminal: boolean = process.stderr.isTTY): Logger {
  const streamWrite = (line: string) => (terminal ? forPeople(redact(line)) : redact(line));
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite } };
  const destination = pino.destination({ fd: 2, sync: true, maxLength: WAITING_BYTES });
  // A line that cannot be written, because the disk is full, must not end the work that it is about, and there is no other place to say so.
  // It waits, and the next line tries again.
  destination.on("error", () => undefined);
  return pino(
    { ...options, serializers: { err: withoutConnection }, redact: ["*.password", "*.api_key", "*.refresh_token", "*.token", "*.secret"] },
    destination,
  );
}

/** As pino describes an error, without the connection that pg attaches to one that was lost: thousands of characters about sockets. */
export function withoutConnection(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { client: _, ...described } = pino.stdSerializers.err(error) as object as Record<string, unknown>;
  return described;
}

// A few thousand lines, for a disk that is full for a moment. More are dropped.
const WAITING_BYTES = 1_000_000;

const WARN = 40;

/** `04:12:09 GET /api/v2/partner/envelopes 200 3.1 ms`, with all data for warnings and errors. */
export function forPeople(line: string): string {
  const { level, time, msg, method, route, status, duration_ms, problem, ...rest } = JSON.parse(line);
  const text =
    method === undefined
      ? msg
      : [method, route ?? "(no such path)", status, `${duration_ms} ms`, problem].filter((part) => part !== undefined).join(" ");
  return `${String(time).slice(11, 19)} ${text}${level >= WARN ? ` ${JSON.stringify(rest)}` : ""}\n`;
}
