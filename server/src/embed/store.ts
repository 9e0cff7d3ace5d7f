import { FENCED } from "../db/fence.ts";
import { type Leased, named, type Read, raw, sql } from "../db/sql.ts";
import { type Taken, type TakenRow, takenIn } from "../http/quota.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import type { Recipient } from "../signing/submission.ts";
import type { TokenClaims } from "./embed-token.ts";

/** The origins that can frame an envelope's pages, before the organization is known. Empty for an unknown id. */
export async function listEmbedOrigins(read: Read, envelope_id: EnvelopeId): Promise<readonly string[]> {
  const { rows } = await read.query<{ embed_origins: string[] | null }>(sql`select find_embed_origins(${envelope_id}) as embed_origins`);
  return rows[0]?.embed_origins ?? [];
}

/**
 * Counts a request of `subject`, and finds the recipient of a token's address; null if the address is no recipient's. From here on the
 * connection sees only the rows of this organization, if row-level security applies to its login. On a shared connection the count is a
 * transaction of its own, so that requests with one token do not wait for each other.
 */
export async function enterCounted(
  read: Leased,
  { org_id, envelope_id, user_email }: Pick<TokenClaims, "org_id" | "envelope_id" | "user_email">,
  { subject, limit, windowSeconds }: { readonly subject: string; readonly limit: number; readonly windowSeconds: number },
): Promise<{ readonly taken: Taken; readonly recipient: TokenRecipient | null }> {
  const { rows } = await read.query<EnteredRow>(named("enter-widget")`
    select accepted, remaining, reset_at, kind, slug, ${raw(FENCED)}
    from enter_widget(${org_id}, ${read.isShared}, ${subject}, ${limit}, make_interval(secs => ${windowSeconds}), ${envelope_id}, ${user_email})`);
  if (read.isShared) await read.enter(org_id);
  const { kind = null, slug = null } = rows[0] ?? {};
  return { taken: takenIn(rows, limit), recipient: kind === null || slug === null ? null : { kind, slug } };
}

type TokenRecipient = Pick<Recipient, "kind" | "slug">;

type EnteredRow = TakenRow & { readonly [column in keyof TokenRecipient]: TokenRecipient[column] | null };
