import { Caller } from "./caller.ts";
import { Resources } from "./generated/resources.ts";
import { type ClientOptions, type Clock, systemClock } from "./options.ts";
import { Transport } from "./transport.ts";
import { Vault } from "./vault.ts";
import { Envelopes } from "./wait.ts";
import { webhooks } from "./webhooks.ts";

/**
 * A client for one Countersign service, with one credential. Throws a TypeError if baseUrl is invalid, or if an API key is used in a
 * browser.
 *
 *     const cs = new Countersign({ baseUrl: "https://sign.example.com", apiKey: process.env.COUNTERSIGN_API_KEY });
 *     const { envelope_id } = await cs.envelopes.create({ envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" });
 */
export class Countersign extends Resources {
  override readonly envelopes: Envelopes;
  override readonly vault: Vault;
  readonly webhooks = webhooks;

  /** `clock` is for tests. */
  constructor(options: ClientOptions, clock: Clock = systemClock) {
    const caller = new Caller(new Transport(options, clock));
    super(caller);
    this.envelopes = new Envelopes(caller);
    this.vault = new Vault(caller);
  }
}
