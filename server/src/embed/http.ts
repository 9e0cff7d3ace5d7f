import { type Static, Type } from "typebox";
import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import { savedSigners } from "../envelopes/recipient-input.ts";
import { sendNewLink } from "../envelopes/send-new-link.ts";
import { findSigningEnvelope } from "../envelopes/signing-envelope-store.ts";
import { acting, type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { about, Email, idOf, iso, LocaleName, named, nullable, OptionalTimestamp, Slug, Timestamp } from "../http/shapes.ts";
import { widgets } from "../shared/caller.ts";
import { listMethodStates } from "../signing/identity/store.ts";
import { RequiredMethods, SignerStatusShape } from "../signing/shapes.ts";
import { listSigners } from "../signing/store.ts";
import { handOverLink } from "./hand-over-link.ts";
import { mintLinkToken } from "./mint-link-token.ts";
import { mintSigningLinks } from "./mint-signing-links.ts";
import { type EmbedDeps, mintToken } from "./mint-token.ts";
import { presentLink, presentLinkToken, presentSavedSigner, presentSigner, presentToken } from "./present.ts";
import { renewToken } from "./renew-token.ts";

const WidgetType = named("WidgetType", Type.Enum([...widgets]));
const TokenBody = Type.Object({
  envelope_id: Type.String({ maxLength: 100 }),
  user_email: about(Email, "The person who will use the widget. If the address is not a recipient's, the document is read-only"),
  widget_type: WidgetType,
  locale: Type.Optional(
    about(LocaleName, "The language of the widget, added to `embed_url` as `?lang=`. Default: the language of the signer, if any"),
  ),
});
const TokenView = named(
  "EmbedToken",
  Type.Object({
    token: Type.String(),
    expires_at: Timestamp,
    embed_url: Type.String({ description: "The token is in the fragment, which browsers do not send to servers" }),
    widget_type: WidgetType,
    envelope_id: idOf("envelope"),
  }),
);
const LinkTokenView = named("LinkToken", Type.Object({ envelope_id: idOf("envelope"), token: Type.String(), expires_at: Timestamp }));

const SLUG_NAMES = "Identifies the signer. It does not open the document; opening it requires a link or a token";
const LinkView = named(
  "SigningLink",
  Type.Object({
    email: Type.String(),
    name: Type.String(),
    slug: about(Slug, SLUG_NAMES),
    embed_url: Type.String({ description: "Opens the signing page for 15 minutes" }),
    status: SignerStatusShape,
  }),
);
const LinksView = named("SigningLinks", Type.Object({ signers: Type.Array(LinkView) }));
const SignerView = named(
  "Signer",
  Type.Object({
    email: Type.String(),
    name: Type.String(),
    role: Type.String(),
    order: Type.Integer({ minimum: 1 }),
    slug: about(nullable(Slug), `${SLUG_NAMES}. null before the envelope is sent, and for viewers of the console`),
    status: SignerStatusShape,
    locale: about(nullable(LocaleName), "The language of the signing page; null means the language of the browser"),
    viewed_at: OptionalTimestamp,
    signed_at: OptionalTimestamp,
    declined_at: OptionalTimestamp,
    paper_requested_at: about(OptionalTimestamp, "When the signer asked to sign on paper. They can still sign electronically"),
    authentication: about(RequiredMethods, "What the signer must pass before they can see the document; empty before the envelope is sent"),
  }),
);
const SignersView = named("Signers", Type.Object({ signers: Type.Array(SignerView) }));
const SignerLinkView = named("SignerLink", Type.Object({ url: Type.String(), expires_at: Timestamp }));

const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;

const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const slug = "5f2b7c0e9d1a4f6b8c3e7d2a1b0f9e8d";
const signer = {
  email: "ann@example.com",
  name: "Ann",
  role: "Tenant",
  order: 1,
  slug,
  status: "viewed",
  locale: null,
  viewed_at: "2026-01-15T09:00:00.000Z",
  signed_at: null,
  declined_at: null,
  paper_requested_at: null,
  authentication: [{ method: "email_code", state: "passed" }],
};
const embed_url = `https://sign.example.com/sign/${envelope_id}#token=eyJhbGciOiJIUzI1NiIsInR5cCI6ImVtYmVkK2p3dCJ9.eyJ.x`;

export interface EmbedEndpointDeps extends EmbedDeps {
  readonly envelopes: EnvelopeDeps;
}

export function embedEndpoints(deps: EmbedEndpointDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_embed_token",
      summary: "Create a token for an embedded widget",
      description:
        "Creates a token that opens one widget of one envelope for one person, for 15 minutes. Load embed_url in a frame of your page, or pass the token to the widget. The sign widget needs the scope esign:write and an envelope that is sent or viewed; the vault widget needs vault:read and a vaulted envelope. At most 600 tokens an hour for each envelope and key or user.",
      resource: "Embedding",
      sdk: "embed.createToken",
      method: "POST",
      path: "/embed/token",
      access: {
        anyScope: ["esign:write", "vault:read"],
        custodian: "closed",
        alsoNeeds: "esign:write",
        scopeOf: ({ widget_type }: Static<typeof TokenBody>) => (widget_type === "sign" ? "esign:write" : "vault:read"),
      },
      body: TokenBody,
      answer: [200, TokenView],
      problems: ["envelope_not_found", "envelope_wrong_status"],
      secret: true,
      examples: {
        request: { envelope_id, user_email: signer.email, widget_type: "sign" },
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
      summary: "Create a signing link for each signer",
      description:
        "Returns a new link for every signer of an envelope that is sent or viewed. Each link opens the signing page for 15 minutes. Every call creates new links and is recorded in the audit trail.",
      resource: "Embedding",
      sdk: "embed.listSigningLinks",
      path: "/partner/envelopes/:envelope_id/signing-links",
      access: { anyScope: ["envelopes:read"], alsoNeeds: "esign:write" },
      ...oneEnvelope,
      answer: [200, LinksView],
      problems: ["envelope_wrong_status"],
      examples: { answer: { signers: [{ email: signer.email, name: signer.name, slug, embed_url, status: signer.status }] } },
      run: async (caller, { params }) => ({ signers: (await mintSigningLinks(deps, caller, params.envelope_id)).map(presentLink) }),
    }),
    reading({
      name: "list_signers",
      summary: "List the signers of an envelope",
      description:
        "Returns the signers in signing order, in every status. Before the envelope is sent, the response contains the signers that are saved with it.",
      resource: "Signers",
      sdk: "envelopes.signers.list",
      path: "/partner/envelopes/:envelope_id/signers",
      access: { anyScope: ["envelopes:read"] },
      ...oneEnvelope,
      answer: [200, SignersView],
      examples: { answer: { signers: [signer] } },
      run: async (caller, { params }, read) => {
        const { signers: saved, identity_required } = await findSigningEnvelope(read, caller.org, params.envelope_id);
        const signers = await listSigners(read, caller.org, params.envelope_id);
        const methods = identity_required ? await listMethodStates(read, caller.org, params.envelope_id) : [];
        const shown = signers.map((signer, index) => presentSigner(signer, index + 1, caller, methods));
        return { signers: signers.length === 0 ? savedSigners(saved).map(presentSavedSigner) : shown };
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
        secret: Type.Optional(Type.String({ maxLength: 100, description: "The part of the link after `#k=`" })),
      }),
      answer: [200, LinkTokenView],
      problems: ["envelope_ended"],
      run: async (visitor, { params, body }) => presentLinkToken(await mintLinkToken(deps, visitor, params.slug, body.secret ?? null)),
    }),
    endpoint({
      name: "renew_token",
      summary: "Renew the token of a public form's visitor",
      method: "POST",
      path: "/embed/sign/:envelope_id/token",
      access: { widget: "sign" },
      ...oneEnvelope,
      answer: [200, LinkTokenView],
      problems: ["envelope_ended", "token_not_renewable"],
      run: async (who) => presentLinkToken(await renewToken(deps, who)),
    }),
    endpoint({
      name: "send_new_link",
      summary: "Send the signer a new signing link by e-mail",
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
      summary: "Create a signing link to hand over",
      description:
        "Creates a link that you pass to a recipient of any kind yourself instead of our e-mail. It is shown once and is valid until the envelope expires. The audit trail records who created it, and a signature made with it is marked as made with a link that was handed over. Refused for a recipient who has acted.",
      resource: "Signers",
      sdk: "envelopes.signers.createLink",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/signers/:slug/link",
      access: { anyScope: ["esign:write"] },
      params: { envelope_id: "envelope", slug: "slug" },
      missing: "signer_not_found",
      answer: [201, SignerLinkView],
      problems: ["envelope_wrong_status", "signer_signed", "recipient_has_acted"],
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
