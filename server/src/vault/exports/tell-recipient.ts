import { findEnvelope } from "../../envelopes/store.ts";
import type { Words } from "../../mail/message.ts";
import { oneLine } from "../../mail/plain-text.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { writeLetter } from "../../mail/write-letter.ts";
import type { ExportId, OrgId } from "../../shared/ids.ts";
import { findOrgSettings } from "../store.ts";
import type { PipelineDeps } from "../vault.ts";
import { findExport } from "./store.ts";

/** Mails the recipient of an export that the package waits for them. */
export function tellRecipient(
  deps: Pick<PipelineDeps, "db" | "mail" | "publicUrl">,
  { org_id: org, export_id }: { readonly org_id: OrgId; readonly export_id: ExportId },
): Promise<void> {
  return deps.db.tx(org, async (tx) => {
    const { state, recipient, reason, envelope_id, expires_at } = await findExport(tx, org, export_id);
    if (state !== "escrowed") return;
    const [{ name: org_name }, { envelope_name }] = [await findOrgSettings(tx, org), await findEnvelope(tx, org, envelope_id)];
    const url = `${deps.publicUrl}/p/#/originals/${export_id}`;
    const words = recipientMail({ org_name, envelope_name, reason, url, expires_at });
    await queueMail(deps.mail, tx, org, { ...words, to: recipient.email, org_name, expires_at, about: export_id });
  });
}

interface Waiting {
  readonly org_name: string;
  readonly envelope_name: string;
  readonly reason: string;
  readonly url: string;
  readonly expires_at: Date;
}

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

export function recipientMail({ org_name, envelope_name, reason, url, expires_at }: Waiting): Words {
  const org = oneLine(org_name);
  return writeLetter({
    kind: "export_waiting",
    subject: `${org} hands a signed original over to you`,
    opening: [
      `${org} hands the signed original of “${oneLine(envelope_name)}” over to you.`,
      `Reason that ${org} gives: ${oneLine(reason)}`,
      `Download the encrypted package and acknowledge it. From then on you have the original, and ${org} keeps a copy. Without your acknowledgement, the original stays with ${org} after ${day.format(expires_at)} (UTC).`,
    ],
    link: { lead: "Download the package and acknowledge it", button: "Receive the original", url },
    closing: [`If you do not expect this, do not acknowledge it. Ask ${org} in another way than by replying to this message.`],
  });
}
