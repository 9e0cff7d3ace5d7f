import { Countersign } from "@countersign/client";
import type { Settings, Terminal } from "./terminal.ts";

/** Prints which organization the key reaches, whether its data are tests, and what the key may do. */
export async function whoAmI({ url, apiKey }: Settings, { out, signal }: Terminal): Promise<number> {
  const me = await new Countersign({ baseUrl: url, apiKey }).apiKeys.me({ signal });
  out(`Organization: ${me.org_name} (${me.org_id})
Mode: ${me.mode === "test" ? "test, a sandbox" : "live"}
Key: ${me.partner_name} (${me.key_id}), ${me.rate_limit_rpm} requests a minute
Scopes: ${me.scopes.join(", ")}
`);
  return 0;
}
