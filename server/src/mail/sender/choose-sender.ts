import { isIP } from "node:net";
import { isReachable } from "../../outbound/address-fence.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { Outcome, Outgoing, OwnFrom, Smtp } from "../smtp.ts";
import { smtpSender } from "../smtp.ts";
import { domainOf, type OwnServer, openKey, openServer, type SenderDeps } from "./sender.ts";
import { lookUpSender } from "./store.ts";

/** How a message of an organization is sent: under which address, and by which server. */
export interface ChosenSender {
  /** null: the installation's address */
  readonly own: OwnFrom | null;
  readonly send: (mail: Outgoing) => Promise<Outcome>;
}

const RESOLVE_MS = 10_000;

/** The organization's own sender if it was verified, otherwise the installation's. */
export async function chooseSender(deps: SenderDeps, smtp: Smtp, org: OrgId | null): Promise<ChosenSender> {
  const installation = { own: null, send: (mail: Outgoing) => smtp.send(mail) };
  if (org === null) return installation;
  const sender = await deps.db.tx(org, (tx) => lookUpSender(tx, org));
  if (sender === null || sender.verified_at === null) return installation;
  const { from_name, from_address, dkim_selector } = sender;
  const dkim = { domain: domainOf(sender), selector: dkim_selector, key: openKey(deps, org, sender) };
  const own = { name: from_name, address: from_address, dkim };
  const server = openServer(deps, org, sender);
  return server === null ? { ...installation, own } : { own, send: (mail) => sendBy(deps, server, from_address, mail) };
}

/** One connection for one message, to an address that the fence allows. */
async function sendBy(deps: SenderDeps, server: OwnServer, from: string, mail: Outgoing): Promise<Outcome> {
  const address = await reachableAddress(deps, server);
  if (address === "dns_error" || address === "blocked_address") return failed(`${address} CONN`);
  const { host, port, secure, user, password } = server;
  const auth = user === null ? null : { user, pass: password ?? "" };
  const connection = smtpSender({ host, connectTo: address, port, secure, auth, from });
  try {
    const outcome = await connection.send(mail);
    // "away" would end the sweep of messages of every organization.
    return outcome.kind === "away" ? { ...outcome, kind: "deferred" } : outcome;
  } finally {
    connection.close();
  }
}

const failed = (error: string): Outcome => ({ kind: "deferred", error, failure: { code: null, stage: "CONN", reply: null } });

/** An address, or why there is none to connect to: the name has none, or the fence refuses one of them. */
async function reachableAddress({ fence, dns }: SenderDeps, { host }: OwnServer): Promise<string> {
  // Any error of the resolver means that there is no address to connect to.
  const addresses = isIP(host) === 0 ? await dns.resolveName(host, RESOLVE_MS).catch(() => []) : [host];
  const [first] = addresses;
  if (first === undefined) return "dns_error";
  return addresses.every((address) => isReachable(fence, address)) ? first : "blocked_address";
}
