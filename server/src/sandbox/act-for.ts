import { randomBytes } from "node:crypto";
import type { Tx } from "../db/sql.ts";
import { hashOfToken } from "../embed/embed-token.ts";
import { mint } from "../embed/mint-token.ts";
import type { Caller, WidgetCaller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { acceptAgreement } from "../signing/builtin/accept-agreement.ts";
import { approveDocument } from "../signing/builtin/approve-document.ts";
import { refuseViewing } from "../signing/builtin/ceremony.ts";
import { completeSigning } from "../signing/builtin/complete-signing.ts";
import { confirmReading } from "../signing/builtin/confirm-reading.ts";
import { giveConsent } from "../signing/builtin/give-consent.ts";
import { type Content, openSigning } from "../signing/builtin/open-signing.ts";
import { type FieldsSaved, saveFields } from "../signing/builtin/save-fields.ts";
import { recordShown } from "../signing/builtin/show-page.ts";
import { isMark } from "../signing/field.ts";
import { passIdentity } from "../signing/identity/pass-identity.ts";
import { actorOf, isSigner, type Recipient, type SigningDeps } from "../signing/submission.ts";
import { currentText } from "../texts/current-texts.ts";
import type { TestDeps } from "./operation.ts";
import type { FieldValue } from "./values.ts";

/**
 * A visit of the signing page by the caller in the place of a recipient. It rests on a token that the caller is given as for an embedded
 * page, so the trail says who could have opened the ceremony, and every entry of the visit says that it is an operation for tests.
 */
export async function visitAs(
  deps: Pick<TestDeps, "embed">,
  tx: Tx,
  caller: Caller,
  envelope_id: EnvelopeId,
  recipient: Recipient,
): Promise<WidgetCaller> {
  const { org, ip, user_agent, request_id } = caller;
  const { email: user_email, slug } = recipient;
  const claims = { org_id: org, envelope_id, user_email, widget: "sign", link: null, locale: null } as const;
  const { token, expires_at } = await mint(deps.embed, tx, caller, "embed_token", claims);
  return {
    ...{ org, ip, user_agent, request_id, actor: actorOf(recipient), scopes: [], session: null, by_test: true },
    holder: {
      ...{ envelope_id, user_email, slug, credential: "embed_token", link: null },
      ...{ token_expires_at: expires_at, token_sha256: hashOfToken(token), signing_session: randomBytes(16).toString("hex") },
    },
  };
}

/** Everything that a recipient does on the page, with the functions of its endpoints: signers sign, approvers approve, viewers confirm. */
export async function actFor(deps: SigningDeps, who: WidgetCaller, you: Recipient, values: readonly FieldValue[]): Promise<void> {
  await openSigning(deps, who);
  await passIdentity(deps, who);
  const opened = await openSigning(deps, who);
  refuseViewing(opened);
  const { document } = contentIn(opened);
  await recordShown(deps, who, opened, document, 1);
  const lang = you.locale ?? opened.envelope.default_locale;
  if (isSigner(you)) {
    await agree(deps, who, lang, opened.agreement?.accepted_at === null);
    const own = document.fields.filter((field) => field.role === you.role && isMark(field));
    await saveFields(deps, who, { adopt: marksOf(you, own) }, {});
    const marks = own.map(({ position }) => ({ field_id: `f${position}`, value: true }));
    await saveFields(deps, who, { values: [...values, ...marks] }, {});
  } else if (values.length > 0) await saveFields(deps, who, { values }, {});
  const { state_sha256, filled } = contentIn(await openSigning(deps, who));
  if (you.kind === "viewer") await confirmReading(deps, who, { state_sha256 });
  if (you.kind === "approver") await approveDocument(deps, who, { state_sha256, locale: lang });
  if (!isSigner(you)) return;
  const { text: _shown, ...intent } = currentText(deps.texts, "intent", lang);
  const { prepared_sha256 } = document;
  await completeSigning(deps, who, { revision: filled?.draft.revision ?? 0, prepared_sha256, state_sha256, intent });
}

async function agree(deps: SigningDeps, who: WidgetCaller, lang: string, isAsked: boolean): Promise<void> {
  const { version, sha256 } = currentText(deps.texts, "disclosure", lang);
  await giveConsent(deps, who, { disclosure_version: version, disclosure_sha256: sha256, rendered_pages: [1] });
  if (!isAsked) return;
  const agreement = currentText(deps.texts, "agreement", lang);
  await acceptAgreement(deps, who, { agreement_version: agreement.version, agreement_sha256: agreement.sha256 });
}

function contentIn({ content }: { readonly content: Content | null }): Content {
  if (content === null) throw new Error("a person who can see the document has no content");
  return content;
}

/** The person's name as they would type it, and its first letters. */
function marksOf({ name }: Recipient, fields: readonly { readonly type: string }[]): NonNullable<FieldsSaved["adopt"]> {
  const typed = (text: string) => ({ kind: "typed", text, font: "caveat" }) as const;
  const letters = name.split(/\s+/).flatMap((word) => [...word].slice(0, 1));
  return {
    signature: typed(name),
    ...(fields.some(({ type }) => type === "initials") && { initials: typed(letters.join("") || name) }),
  };
}
