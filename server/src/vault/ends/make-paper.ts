import { appendAudit } from "../../audit/append-audit.ts";
import { asPdfProblem } from "../../documents/pdf-problems.ts";
import { readFinished } from "../../envelopes/issue-document.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import type { Words } from "../../mail/message.ts";
import { oneLine } from "../../mail/plain-text.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { writeLetter } from "../../mail/write-letter.ts";
import { DAY_MS } from "../../shared/durations.ts";
import type { EndingId, OrgId } from "../../shared/ids.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import { vaultJobCaller } from "../copy.ts";
import { lockCopyById } from "../copy-store.ts";
import { refuseDamaged } from "../keeping/require-undamaged.ts";
import { findOrgSettings } from "../store.ts";
import { background } from "../unreadable.ts";
import type { PipelineDeps } from "../vault.ts";
import { paperMark } from "./ending.ts";
import { findEnding, setPaper } from "./ending-store.ts";

// A mail server that is down for longer needs a look; the recipient can also log in without the mail.
const MAIL_DAYS = 14;

/** Makes the one PDF to print, marked on each page, and tells the recipient. Nothing happens if it exists already. */
export async function makePaper(
  deps: PipelineDeps,
  { org_id: org, ending_id }: { readonly org_id: OrgId; readonly ending_id: EndingId },
): Promise<void> {
  const ending = await deps.db.tx(org, (tx) => findEnding(tx, org, ending_id));
  const { envelope_id, copy_id } = ending;
  if (ending.state !== "begun" || ending.pdf_sha256 !== null) return;
  const bytes = await refuseDamaged(deps, org, envelope_id, () => readFinished(deps, org, envelope_id));
  const marked = await deps.pdf.copy(bytes, { band: paperMark(ending) }, background(org)).catch(asPdfProblem);
  const stored = await storeBlob(deps.storage, org, marked.bytes);
  await deps.db.tx(org, async (tx) => {
    await lockCopyById(tx, org, copy_id);
    if (!(await setPaper(tx, org, ending_id, stored))) return;
    await keepBlob(tx, org, stored.sha256);
    const data = { ending_id, copy_id, sha256: stored.sha256, pages: marked.pages };
    await appendAudit(tx, org, { type: "vault.paper_made", by: vaultJobCaller(org), envelope_id, data });
    const [{ name: org_name }, { envelope_name }] = [await findOrgSettings(tx, org), await findEnvelope(tx, org, envelope_id)];
    const words = paperMail({ org_name, envelope_name, reason: ending.reason, url: `${deps.publicUrl}/p/#/papers/${ending_id}` });
    const to = ending.recipient?.email;
    if (to === undefined) throw new Error(`${ending_id} has no recipient`);
    await queueMail(deps.mail, tx, org, {
      ...words,
      to,
      org_name,
      expires_at: new Date(tx.now.getTime() + MAIL_DAYS * DAY_MS),
      about: ending_id,
    });
  });
}

interface Waiting {
  readonly org_name: string;
  readonly envelope_name: string;
  readonly reason: string;
  readonly url: string;
}

export function paperMail({ org_name, envelope_name, reason, url }: Waiting): Words {
  const org = oneLine(org_name);
  return writeLetter({
    kind: "paper_waiting",
    subject: `${org} asks you to print a paper original`,
    opening: [
      `The electronic original of “${oneLine(envelope_name)}” at ${org} has ended, to be replaced by paper.`,
      ...(reason === "" ? [] : [`Reason that ${org} gives: ${oneLine(reason)}`]),
      "Download the PDF, print it once, and confirm that you have printed it. Each download is recorded.",
    ],
    link: { lead: "Download the PDF and confirm that it is printed", button: "Print the paper original", url },
    closing: [`If you do not expect this, do not download it. Ask ${org} in another way than by replying to this message.`],
  });
}
