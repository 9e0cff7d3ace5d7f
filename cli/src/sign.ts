import { Countersign } from "@countersign/client";
import { type Settings, type Terminal, UsageError } from "./terminal.ts";

export interface SignOptions {
  readonly envelope_id: string;
  /** for whom; everyone who must act if there are none */
  readonly emails: readonly string[];
  /** `name=value` */
  readonly values: readonly string[];
}

/** Signs an envelope of a sandbox in place of its recipients, and prints its status. Refuses the key of a live organization. */
export async function sign(
  { url, apiKey }: Settings,
  { envelope_id, emails, values }: SignOptions,
  { out, signal }: Terminal,
): Promise<number> {
  const body = { ...(emails.length > 0 && { emails }), ...(values.length > 0 && { values: valuesIn(values) }) };
  const cs = new Countersign({ baseUrl: url, apiKey, requireTestMode: true });
  const { status } = await cs.test.envelopes.sign(envelope_id, body, { signal });
  out(`${envelope_id} is ${status}\n`);
  return 0;
}

/** A name of a field can contain no `=`; a value can. */
function valuesIn(given: readonly string[]): Record<string, string> {
  const pairs = given.map((one) => {
    const at = one.indexOf("=");
    if (at < 1) throw new UsageError(`${one} is not a value such as "Tenant name=Ann"`);
    return [one.slice(0, at), one.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
