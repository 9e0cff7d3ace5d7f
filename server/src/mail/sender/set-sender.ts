import { generateKeyPair, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { promisify } from "node:util";
import { appendAudit } from "../../audit/append-audit.ts";
import { isReachable } from "../../outbound/address-fence.ts";
import type { Member } from "../../shared/caller.ts";
import type { OrgId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { domainOf, type MailSender, type OwnServer, type SenderDeps, sealKey, sealServer } from "./sender.ts";
import { lockSender, lookUpSender, saveSender } from "./store.ts";

export interface SenderInput {
  readonly from_name: string;
  readonly from_address: string;
  /** null: the mail server of the installation; undefined: as before */
  readonly smtp?: OwnServer | null | undefined;
  /** a new signing key, for which the DNS record has to be published again */
  readonly new_key?: boolean | undefined;
}

type NewKey = Pick<MailSender, "dkim_selector" | "dkim_key_enc" | "dkim_public">;

/** Sets or changes the organization's sender. Another address or key has to be checked before messages use it. */
export const setSender = { prepare, save };

/** Makes the key, which takes a tenth of a second or more. Null if the one from before stays. */
async function prepare(deps: SenderDeps, { org }: Member, input: SenderInput): Promise<NewKey | null> {
  if (deps.smtp === null) throw new Problem("mail_server_missing");
  if (!HOST.test(domainOf(input))) throw invalidField("from_address", "invalid_value", "must be in a domain, such as sign@example.com");
  if (input.smtp != null) refuseBadHost(deps, input.smtp);
  const before = await deps.db.tx(org, (tx) => lookUpSender(tx, org));
  if (before !== null && domainOf(before) === domainOf(input) && input.new_key !== true) return null;
  return makeKey(deps, org);
}

// Letters, digits and hyphens between dots, and at least one dot.
const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** An address is checked now and again when a message is sent; a name only then, because what it stands for can change. */
function refuseBadHost({ fence }: SenderDeps, { host }: OwnServer): void {
  const isAllowed = isIP(host) === 0 ? HOST.test(host.toLowerCase()) || (host === "localhost" && fence.loopback) : isReachable(fence, host);
  if (!isAllowed) throw invalidField("smtp.host", "invalid_value", "must be the public name or address of a mail server");
}

const newKeyPair = promisify(generateKeyPair);
// RFC 8301, 3.2: signers should use 2048 bits, and all verifiers can.
const KEY_BITS = 2048;

async function makeKey(deps: SenderDeps, org: OrgId): Promise<NewKey> {
  const { privateKey, publicKey } = await newKeyPair("rsa", { modulusLength: KEY_BITS });
  return {
    dkim_selector: `countersign-${randomBytes(4).toString("hex")}`,
    dkim_key_enc: sealKey(deps, org, privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
    dkim_public: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

function save(deps: SenderDeps, admin: Member, input: SenderInput, made: NewKey | null): Promise<MailSender> {
  const { org } = admin;
  const { from_name, from_address, smtp } = input;
  return deps.db.tx(org, async (tx) => {
    const before = await lockSender(tx, org);
    const key = made ?? before;
    // Another request has removed or moved the sender since the key was looked at.
    if (key === null || (made === null && before !== null && domainOf(before) !== domainOf(input)))
      throw new Problem("mail_sender_changed");
    const smtp_enc = smtp === undefined ? (before?.smtp_enc ?? null) : smtp === null ? null : sealServer(deps, org, smtp);
    const { dkim_selector, dkim_key_enc, dkim_public } = key;
    const checked = made === null && before !== null ? before : { checks: null, checked_at: null, verified_at: null };
    const { checks, checked_at, verified_at } = checked;
    const sender = { from_name, from_address, dkim_selector, dkim_key_enc, dkim_public, smtp_enc, checks, checked_at, verified_at };
    await saveSender(tx, org, sender);
    const data = { from_name, from_address, dkim_selector, own_server: smtp_enc !== null, new_key: made !== null };
    await appendAudit(tx, org, { type: "mail_sender.set", by: admin, data });
    return sender;
  });
}
