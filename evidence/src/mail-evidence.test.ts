import { describe, expect, test } from "vitest";
import type { Json } from "./canonical.ts";
import { nextEntry } from "./chain.ts";
import type { Head } from "./entry.ts";
import { invitationOf, mailEvidence } from "./mail-evidence.ts";
import type { Link } from "./verify-chain.ts";

const TLS = { protocol: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384" };
const to = "ann@example.com";
const mailed = (message_id: string, kind = "signing_invitation") => ({ message_id, kind, to });
const accepted = { header_id: "<m1@example.com>", server: "mail.example.com:587", code: 250, tls: TLS, body_sha256: "ab".repeat(32) };

/** A chain of these entries, one second apart. */
function chain(...entries: (readonly [type: string, data: Record<string, Json>, actor?: string])[]): Link[] {
  const links: Link[] = [];
  let head: Head | null = null;
  for (const [index, [type, data, slug]] of entries.entries()) {
    const actor = slug === undefined ? { kind: "system", id: "system" } : { kind: "signer", id: slug };
    const at = new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString();
    const made = nextEntry(head, { org_id: "org_1", subject: "env_1", type, at, actor, data, salt: new Uint8Array(32) });
    links.push({ entry: made.entry, data: { salt: "00".repeat(32), data } });
    head = made.entry;
  }
  return links;
}

const statesIn = (...entries: Parameters<typeof chain>) =>
  mailEvidence(chain(...entries)).map(({ message_id, state }) => [message_id, state]);

describe("the state of a message", () => {
  test("is what the latest decisive entry says, with the server's acceptance beside it", () => {
    const links = chain(["envelope.sent", {}], ["mail.accepted", { ...mailed("m1"), ...accepted }], ["mail.delivered", mailed("m1")]);
    const { header_id, server, code, tls, body_sha256 } = accepted;
    expect(mailEvidence(links)).toEqual([
      {
        ...mailed("m1"),
        state: "delivered",
        at: "2026-01-01T00:00:02.000Z",
        accepted: { seq: 2, at: "2026-01-01T00:00:01.000Z", code, server, tls, header_id, body_sha256 },
      },
    ]);
  });

  test.each([
    ["queued", ["signer.link_sent"]],
    ["failed", ["signer.link_sent", "mail.failed"]],
    ["accepted", ["mail.accepted"]],
    // The first attempt was given up while its server was still accepting it.
    ["accepted", ["mail.failed", "mail.accepted"]],
    ["delivered", ["mail.accepted", "mail.delivered"]],
    ["delivered", ["mail.delivered", "mail.accepted"]],
    ["bounced", ["mail.accepted", "mail.bounced"]],
    ["bounced", ["mail.accepted", "mail.delivered", "mail.bounced"]],
    ["bounced", ["mail.accepted", "mail.bounced", "mail.delivered"]],
    ["complained", ["mail.accepted", "mail.complained", "mail.delivered"]],
  ])("is %s after %j", (state, types) => {
    expect(statesIn(...types.map((type) => [type, mailed("m1")] as const))).toEqual([["m1", state]]);
  });

  test("is kept apart from that of other messages, and other entries say nothing about it", () => {
    const others = [
      ["mail.accepted", {}],
      ["mail.accepted", { message_id: 7 }],
      ["copy.issued", mailed("m3")],
    ] as const;
    expect(statesIn(["mail.failed", mailed("m1")], ["mail.accepted", mailed("m2")], ...others)).toEqual([
      ["m1", "failed"],
      ["m2", "accepted"],
    ]);
  });

  test("is not known from entries whose data was erased", () => {
    const erased = chain(["mail.accepted", mailed("m1")]).map((link) => ({ ...link, data: null }));
    expect(mailEvidence(erased)).toEqual([]);
  });

  test("names no server, code or encryption that the entry does not name", () => {
    const [one] = mailEvidence(chain(["mail.accepted", { ...mailed("m1"), code: "250", tls: "yes", server: null }]));
    expect(one?.accepted).toMatchObject({ code: null, tls: null, server: null });
  });
});

describe("a signer's invitation", () => {
  const signer = { slug: "s1", email: "Ann@example.com" };

  test("is the message whose link the signer used last", () => {
    const links = chain(
      ["mail.accepted", mailed("m1")],
      ["mail.accepted", mailed("m2", "signing_reminder")],
      ["signer.opened", { message_id: "m2" }, "s2"],
      ["signer.opened", { message_id: "m1" }, "s1"],
      ["signer.opened", { credential: "embed_token" }, "s1"],
    );
    expect(invitationOf(links, signer)).toMatchObject({ message_id: "m1", state: "accepted" });
  });

  test("is queued if its link was used before a mail server's reply was recorded", () => {
    expect(invitationOf(chain(["signer.opened", { message_id: "m1" }, "s1"]), signer)).toMatchObject({ message_id: "m1", state: "queued" });
  });

  test("is the latest message with a link to their address if no link was used, and never a copy", () => {
    const links = chain(
      ["mail.failed", mailed("m1")],
      ["mail.bounced", { ...mailed("m2", "signing_corrected"), to: "ben@example.com" }],
      ["mail.accepted", mailed("m3", "signing_turn")],
      ["mail.accepted", mailed("m4", "signing_completed")],
    );
    expect(invitationOf(links, signer)).toMatchObject({ message_id: "m3", state: "accepted" });
    expect(invitationOf(links, { slug: "s9", email: "zoe@example.com" })).toBeNull();
  });
});
