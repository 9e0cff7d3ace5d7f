import { lookOf } from "../src/mail/look.ts";
import type { SigningFacts } from "../src/mail/messages/to-signer.ts";

const look = { name: "Acme", has_logo: false, accent: null, accent_text: null };

/** What a message to a signer says; a test changes what it is about. */
export function signerFacts({ org_name = "Acme", ...changed }: Partial<SigningFacts> & { readonly org_name?: string } = {}): SigningFacts {
  return {
    locale: "en",
    time_zone: "UTC",
    look: lookOf({ ...look, name: org_name }),
    recipient_name: "Ann",
    envelope_name: "Lease",
    pages: 3,
    sender_name: null,
    replies_to: null,
    message: null,
    expires_at: new Date("2026-03-04T05:06:07.089Z"),
    mail_subject: null,
    texts: {},
    part: { fields: 2, initials: 1, signatures: 1 },
    url: "https://sign.example.com/s/abc?lang=en#token=x&y",
    ...changed,
  };
}
