import type { SignerInput } from "../envelopes/signer-input.ts";
import { iso, isoOrNull } from "../http/shapes.ts";
import { type Caller, maySeeSlugs } from "../shared/caller.ts";
import type { ShownMethod } from "../signing/identity/store.ts";
import { presentMethod } from "../signing/present.ts";
import type { Signer } from "../signing/submission.ts";
import type { SigningLink } from "./mint-signing-links.ts";
import type { MintedToken } from "./mint-token.ts";

export const presentToken = ({ token, expires_at, embed_url, widget, envelope_id }: MintedToken) => ({
  token,
  expires_at: iso(expires_at),
  embed_url,
  widget_type: widget,
  envelope_id,
});

/** For the page of a signing link. */
export const presentLinkToken = ({ envelope_id, token, expires_at }: MintedToken) => ({ envelope_id, token, expires_at: iso(expires_at) });

export const presentLink = ({ email, name, slug, embed_url, status }: SigningLink) => ({ email, name, slug, embed_url, status });

export const presentSigner = (signer: Signer, order: number, caller: Caller, methods: readonly ShownMethod[]) => ({
  email: signer.email,
  name: signer.name,
  role: signer.role,
  order,
  slug: maySeeSlugs(caller) ? signer.slug : null,
  status: signer.status,
  locale: signer.locale,
  viewed_at: isoOrNull(signer.viewed_at),
  signed_at: isoOrNull(signer.signed_at),
  declined_at: isoOrNull(signer.declined_at),
  paper_requested_at: isoOrNull(signer.paper_requested_at),
  authentication: methods.filter(({ slug }) => slug === signer.slug).map(presentMethod),
});

/** A person who will be a signer once the envelope is sent. */
export const presentSavedSigner = ({ email, name, role, locale }: SignerInput, index: number) => ({
  email,
  name,
  role,
  order: index + 1,
  slug: null,
  status: "pending" as const,
  locale: locale ?? null,
  viewed_at: null,
  signed_at: null,
  declined_at: null,
  paper_requested_at: null,
  authentication: [],
});
