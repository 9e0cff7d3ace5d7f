import { appendAudit } from "../audit/append-audit.ts";
import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import type { Status } from "../envelopes/envelope.ts";
import { lockSigningEnvelope, type SigningEnvelope } from "../envelopes/signing-envelope-store.ts";
import { takeQuota } from "../http/quota.ts";
import type { Caller, TokenHolder, Widget } from "../shared/caller.ts";
import { type EnvelopeId, isId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { Problem } from "../shared/problems.ts";
import { lookUpRecipient } from "../signing/store.ts";
import { inLanguage } from "../signing/submission.ts";
import { hashOfToken, signToken, type TokenClaims, type TokenDeps } from "./embed-token.ts";

export interface EmbedDeps extends TokenDeps {
  readonly db: Db;
}

export interface MintedToken {
  readonly envelope_id: EnvelopeId;
  readonly widget: Widget;
  readonly token: string;
  readonly expires_at: Date;
  readonly embed_url: string;
}

export interface WantedToken {
  readonly envelope_id: string;
  readonly user_email: string;
  readonly widget: Widget;
  /** of the widget; by default the one that was chosen for the signer, if any */
  readonly locale?: Locale;
}

/** A token for a partner's page. If the address is not a recipient's, the token is read-only. */
export async function mintToken(deps: EmbedDeps, caller: Caller, wanted: WantedToken): Promise<MintedToken> {
  const { envelope_id, user_email, widget } = wanted;
  if (!isId("envelope", envelope_id)) throw new Problem("envelope_not_found", "not an id");
  return deps.db.tx(caller.org, async (tx) => {
    refuseWrongStatus(await lockSigningEnvelope(tx, caller.org, envelope_id), widget);
    const locale = wanted.locale ?? (await lookUpRecipient(tx, caller.org, envelope_id, user_email))?.locale ?? null;
    return mint(deps, tx, caller, "embed_token", { org_id: caller.org, envelope_id, user_email, widget, link: null, locale });
  });
}

const allowed: Record<Widget, readonly Status[]> = { sign: ["sent", "viewed"], vault: ["vaulted"] };

export function refuseWrongStatus({ status, vault_file_path }: SigningEnvelope, widget: Widget): void {
  const stored = widget === "sign" || vault_file_path !== null;
  if (!allowed[widget].includes(status) || !stored) throw new Problem("envelope_wrong_status", widget, { words: { status } });
}

// Each token is an audit entry, and opening the document recomputes the whole chain. A page requests five per hour.
const TOKENS_PER_HOUR = 600;

/** Per key, person or signer, and envelope. */
async function refuseTooMany(tx: Tx, { actor }: Minter, envelope_id: EnvelopeId): Promise<void> {
  const quota = await takeQuota(tx, `tokens:${envelope_id}:${actor.id}`, TOKENS_PER_HOUR, 3600);
  if (!quota.accepted) throw new Problem("rate_limited", "tokens of one envelope", { quota });
}

type Minter = Pick<Caller, "actor" | "ip" | "user_agent" | "request_id">;

/** Signs a token and records it in the envelope's chain, so that the certificate can list everyone who could have opened the ceremony. */
export async function mint(
  deps: TokenDeps,
  tx: Tx,
  by: Minter,
  credential: TokenHolder["credential"],
  { locale, ...claims }: TokenClaims & { readonly locale: Locale | null },
): Promise<MintedToken> {
  const { org_id, envelope_id, user_email, widget } = claims;
  await refuseTooMany(tx, by, envelope_id);
  const { token, expires_at } = await signToken(deps, credential, claims, tx.now);
  await appendAudit(tx, org_id, {
    type: "token.minted",
    by,
    envelope_id,
    data: { widget, user_email, by: by.actor.id, token_sha256: hashOfToken(token) },
  });
  const embed_url = `${deps.embedUrl}/${widget}/${envelope_id}${inLanguage(locale)}#token=${token}`;
  return { envelope_id, widget, token, expires_at, embed_url };
}
