import { type Static, Type } from "typebox";
import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import { sendNewLink } from "../envelopes/send-new-link.ts";
import { findStanding } from "../envelopes/standing.ts";
import { acting, type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { Email, idOf, iso, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { widgets } from "../shared/caller.ts";
import { locales } from "../shared/locales.ts";
import { SLUG_PATTERN } from "../shared/slugs.ts";
import { listSigners } from "../signing/store.ts";
import { signerStatuses } from "../signing/submission.ts";
import { handOverLink } from "./hand-over-link.ts";
import { mintLinkToken } from "./mint-link-token.ts";
import { mintSigningLinks } from "./mint-signing-links.ts";
import { type EmbedDeps, mintToken } from "./mint-token.ts";
import { presentLink, presentLinkToken, presentSavedSigner, presentSigner, presentToken } from "./present.ts";

const TokenBody = Type.Object({
  envelope_id: Type.String({ maxLength: 100 }),
  user_email: Email,
  widget_type: Type.Enum([...widgets]),
  locale: Type.Optional(
    Type.Enum([...locales], { description: "The language of the widget; becomes `?lang=` of `embed_url`. Else the signer's own, if any" }),
  ),
});
const TokenView = Type.Object({
  token: Type.String(),
  expires_at: Timestamp,
  embed_url: Type.String({ description: "The token is in its fragment, which browsers send to no server" }),
  widget_type: Type.Enum([...widgets]),
  envelope_id: idOf("envelope"),
});

const Slug = Type.String({ pattern: SLUG_PATTERN, description: "Names the signer. It opens nothing without the secret of a link" });
const SignerStatus = Type.Enum([...signerStatuses]);
const LinksView = Type.Object({
  signers: Type.Array(
    Type.Object({ email: Type.String(), name: Type.String(), slug: Slug, embed_url: Type.String(), status: SignerStatus }),
  ),
});
const SignersView = Type.Object({
  signers: Type.Array(
    Type.Object({
      email: Type.String(),
      name: Type.String(),
      role: Type.String(),
      order: Type.Integer({ minimum: 1 }),
      slug: nullable(Slug),
      status: SignerStatus,
      locale: nullable(Type.Enum([...locales], { description: "The language that their page opens in; null: the browser's" })),
      viewed_at: OptionalTimestamp,
      signed_at: OptionalTimestamp,
      declined_at: OptionalTimestamp,
    }),
  ),
});

const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;

const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const slug = "5f2b7c0e9d1a4f6b8c3e7d2a1b0f9e8d";
const embed_url = `https://sign.example.com/sign/${envelope_id}#token=eyJhbGciOiJIUzI1NiIsInR5cCI6ImVtYmVkK2p3dCJ9.eyJ.x`;

export interface EmbedEndpointDeps extends EmbedDeps {
  readonly envelopes: EnvelopeDeps;
}

export function embedEndpoints(deps: EmbedEndpointDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_embed_token",
      summary: "A token for one widget of one envelope and one person, good for 15 minutes",
      method: "POST",
      path: "/embed/token",
      access: {
        anyScope: ["esign:write", "vault:read"],
        leastRole: "member",
        scopeOf: ({ widget_type }: Static<typeof TokenBody>) => (widget_type === "sign" ? "esign:write" : "vault:read"),
      },
      body: TokenBody,
      answer: [200, TokenView],
      problems: ["envelope_not_found", "envelope_wrong_status"],
      secret: true,
      examples: {
        request: { envelope_id, user_email: "ann@example.com", widget_type: "sign" },
        answer: {
          token: embed_url.split("#token=")[1] ?? "",
          expires_at: "2026-01-15T09:15:00.000Z",
          embed_url,
          widget_type: "sign",
          envelope_id,
        },
      },
      run: async (caller, { body: { envelope_id, user_email, widget_type: widget, locale } }) =>
        presentToken(await mintToken(deps, caller, { envelope_id, user_email, widget, ...(locale !== undefined && { locale }) })),
    }),
    acting({
      name: "list_signing_links",
      summary: "A short-lived link for each signer; every call makes new ones and is recorded",
      path: "/partner/envelopes/:envelope_id/signing-links",
      access: { anyScope: ["envelopes:read"], leastRole: "member" },
      ...oneEnvelope,
      answer: [200, LinksView],
      problems: ["envelope_wrong_status"],
      examples: { answer: { signers: [{ email: "ann@example.com", name: "Ann", slug, embed_url, status: "viewed" }] } },
      run: async (caller, { params }) => ({ signers: (await mintSigningLinks(deps, caller, params.envelope_id)).map(presentLink) }),
    }),
    reading({
      name: "list_signers",
      summary: "The signers of an envelope in signing order, in every status; before it is sent, those saved with it",
      path: "/partner/envelopes/:envelope_id/signers",
      access: { anyScope: ["envelopes:read"] },
      ...oneEnvelope,
      answer: [200, SignersView],
      run: async (caller, { params }, read) => {
        const { signers: saved } = await findStanding(read, caller.org, params.envelope_id);
        const signers = await listSigners(read, caller.org, params.envelope_id);
        return { signers: signers.length === 0 ? saved.map(presentSavedSigner) : signers.map((signer) => presentSigner(signer, caller)) };
      },
    }),
    endpoint({
      name: "create_link_token",
      summary: "Exchange the secret of a signing link for a token",
      method: "POST",
      path: "/embed/links/:slug/token",
      access: "anyone",
      params: { slug: "slug" },
      missing: "link_not_found",
      body: Type.Object({
        secret: Type.Optional(Type.String({ maxLength: 100, description: "What stands behind `#k=` in the link" })),
      }),
      answer: [200, Type.Object({ envelope_id: idOf("envelope"), token: Type.String(), expires_at: Timestamp })],
      problems: ["envelope_ended"],
      run: async (visitor, { params, body }) => presentLinkToken(await mintLinkToken(deps, visitor, params.slug, body.secret ?? null)),
    }),
    endpoint({
      name: "send_new_link",
      summary: "Mail the signer a new link, to the address on record. The answer is the same whether or not the slug exists",
      method: "POST",
      path: "/embed/links/:slug/send",
      access: "anyone",
      params: { slug: "slug" },
      missing: "link_not_found",
      answer: [202, Type.Object({})],
      run: async (visitor, { params }) => {
        await sendNewLink(deps.envelopes, visitor, params.slug);
        return {};
      },
    }),
    endpoint({
      name: "create_signer_link",
      summary: "A signing link to hand to the signer in another way than by our mail. It is shown once",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/signers/:slug/link",
      access: { anyScope: ["esign:write"], leastRole: "member" },
      params: { envelope_id: "envelope", slug: "slug" },
      missing: "signer_not_found",
      answer: [201, Type.Object({ url: Type.String(), expires_at: Timestamp })],
      problems: ["envelope_wrong_status", "signer_signed"],
      secret: true,
      examples: {
        answer: { url: `https://sign.example.com/s/${slug}#k=0c6f1a9d5e2b47388d1f6a0b9c3e5d72`, expires_at: "2026-02-14T09:00:00.000Z" },
      },
      run: async (caller, { params }) => {
        const { url, expires_at } = await handOverLink(deps, caller, params.envelope_id, params.slug);
        return { url, expires_at: iso(expires_at) };
      },
    }),
  ];
}
