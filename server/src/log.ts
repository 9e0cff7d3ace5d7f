import { type Logger, pino } from "pino";

/** What must never be in a log, wherever it turns up: raw keys, webhook secrets, JWTs, tokens in links, passwords in URLs. */
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

/** JSON lines on standard error; standard output is for people. */
export function makeLogger(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite: redact } };
  return pino(
    { ...options, redact: ["*.password", "*.api_key", "*.refresh_token", "*.token", "*.secret"] },
    pino.destination({ fd: 2, sync: true }),
  );
}
