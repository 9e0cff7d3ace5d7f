/** What a command needs of the terminal. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  readonly readInput: () => Promise<string>;
  /** Ctrl+C */
  readonly signal: AbortSignal;
}

/** A mistake in the arguments or the settings. */
export class UsageError extends Error {}

export interface Settings {
  readonly url: string;
  readonly apiKey: string;
}

export function settingsOf({ env }: Terminal): Settings {
  const { COUNTERSIGN_URL: url = "http://localhost:3000", COUNTERSIGN_API_KEY: apiKey } = env;
  if (apiKey === undefined || apiKey === "") throw new UsageError("Set COUNTERSIGN_API_KEY to an API key (lk_…) of your organization.");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`COUNTERSIGN_URL must be the address of the service, such as https://sign.example.com; it is ${url}`);
  return { url: url.replace(/\/+$/, "").replace(/\/api\/v2$/, ""), apiKey };
}
