// How each signer got access, and who vouches for it. A link in an e-mail shows control of a mailbox; anything else rests on the
// organization's word, and the first page says so.

import type { SessionFacts, SignerFacts } from "../facts.ts";
import type { Facts2 as Facts } from "../facts-2.ts";
import { isOfForm } from "../form-token.ts";
import { TEST_OPERATION } from "../test-record.ts";
import type { CertificateDetails } from "./details.ts";
import { personOf } from "./wording.ts";

type People = CertificateDetails["people"];

/** A short description of how a session was opened. */
export function credentialName(session: SessionFacts, facts: { readonly org: Pick<Facts["org"], "name"> }, people: People): string {
  return `${session.by === TEST_OPERATION ? "test operation with an " : ""}${accessName(session, facts, people)}`;
}

function accessName(session: SessionFacts, { org }: { readonly org: Pick<Facts["org"], "name"> }, people: People): string {
  switch (wayOf(session)) {
    case "mailed":
      return "link sent by e-mail";
    case "unconfirmed":
      return "link in a message that no mail server is recorded to have accepted";
    case "shared":
      return `link sent by e-mail, which API keys of ${org.name} could also read`;
    case "handed_over":
      return `link handed over by ${issuerOf(session, people)}`;
    case "form":
      return "public form, without proof of the e-mail address";
    case "token":
      return `embed token: identity asserted by ${org.name}, ${issuerOf(session, people)}`;
    case "other":
      return session.credential.replaceAll("_", " ");
  }
}

type Way = "mailed" | "unconfirmed" | "shared" | "handed_over" | "form" | "token" | "other";

// Sessions from before links had secrets record no link kind; API keys could read those links.
function wayOf({ credential, link_kind = "shared", mail_sent_at = null, issued_by = null }: SessionFacts): Way {
  if (isOfForm({ credential, issued_by })) return "form";
  if (credential === "embed_token") return "token";
  if (credential !== "email_link") return "other";
  if (link_kind === "mailed") return mail_sent_at === null ? "unconfirmed" : "mailed";
  return link_kind === "handed_over" ? "handed_over" : "shared";
}

function issuerOf({ issued_by = null }: SessionFacts, people: People): string {
  if (issued_by === null) return "issuer not recorded";
  return issued_by.startsWith("usr_") ? personOf(issued_by, people) : `key ${issued_by}`;
}

export type Asserted = { readonly title: string; readonly sentences: readonly string[] };

/** For page 1: every signer whose identity does not rest on an e-mail sent to them. */
export function assertedIdentities(facts: Facts, people: People): Asserted[] {
  const { name: org } = facts.org;
  const signed = facts.signers.flatMap((signer) =>
    signedIn(signer).map((session) => ({ who: whoOf(signer), session, way: wayOf(session) })),
  );
  const sentencesOf = (way: Way, sentence: (issuer: string) => string): string[] => {
    const groups = new Map<string, Set<string>>();
    for (const { who, session } of signed.filter((one) => one.way === way)) {
      const said = sentence(issuerOf(session, people));
      groups.set(said, (groups.get(said) ?? new Set()).add(who));
    }
    return [...groups].map(([said, names]) => `${[...names].join(", ")}: ${said}`);
  };
  const tested = [...new Set(signed.filter(({ session }) => session.by === TEST_OPERATION).map(({ who }) => who))];
  const asserted = [
    ...sentencesOf("token", (issuer) => `signed with an embed token (${issuer}).`),
    ...sentencesOf("handed_over", (issuer) => `signed with a link that was handed over (${issuer}).`),
  ];
  return [
    ...titled(`Identity asserted by ${org}`, asserted),
    ...titled(
      "Signing links that API keys could read",
      sentencesOf("shared", () => `signed with a link that was sent by e-mail and that API keys of ${org} could also read.`),
    ),
    ...titled(
      "E-mail not recorded as sent",
      sentencesOf("unconfirmed", () => "signed with a link in a message that no mail server is recorded to have accepted."),
    ),
    ...titled(
      "E-mail address not proven",
      sentencesOf("form", () => "signed on a public form that anyone could open, and that did not ask for proof of the address."),
    ),
    ...titled("Signed by a test operation", tested.length === 0 ? [] : [`${tested.join(", ")}: no person signed.`]),
  ];
}

function signedIn({ sessions, signatures }: SignerFacts): SessionFacts[] {
  return sessions.filter(({ session }) => signatures.some((signature) => signature.session === session));
}

const whoOf = ({ name, email, order }: SignerFacts): string =>
  [name ?? `Signer ${order}`, ...(email === null ? [] : [`<${email}>`])].join(" ");

const titled = (title: string, sentences: readonly string[]): Asserted[] => (sentences.length === 0 ? [] : [{ title, sentences }]);
