import { parseArgs } from "node:util";

/** A mistake in the arguments or the settings. */
export class UsageError extends Error {}

export interface Settings {
  readonly url: string;
  readonly apiKey: string;
  /** the folder whose files can be uploaded; null: none */
  readonly files: string | null;
  /** whether agents can read the text of documents */
  readonly documentText: boolean;
}

/** Throws UsageError, or what `parseArgs` throws. */
export function readSettings(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: { files: { type: "string" }, "allow-document-text": { type: "boolean", default: false } },
  });
  const { COUNTERSIGN_URL: url = "http://localhost:3000", COUNTERSIGN_API_KEY: apiKey } = env;
  if (apiKey === undefined || apiKey === "") throw new UsageError("Set COUNTERSIGN_API_KEY to an API key (lk_…) of your organization.");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`COUNTERSIGN_URL must be the address of the service, such as https://sign.example.com; it is ${url}`);
  return {
    url: url.replace(/\/+$/, "").replace(/\/api\/v2$/, ""),
    apiKey,
    files: values.files ?? null,
    documentText: values["allow-document-text"],
  };
}
