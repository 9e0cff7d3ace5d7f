import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { chainOf, sentEnvelope, statusOf } from "../../test/envelopes.ts";
import { accept, invite, newEmail } from "../../test/invitations.ts";
import { refusalText, refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { statuses } from "../envelopes/envelope.ts";
import { newId } from "../shared/ids.ts";
import { scopes } from "../shared/scopes.ts";

const service = testService({ EMBED_URL: "https://sign.example.com" });

const tokenBody = (envelope_id: string, values: object = {}) => ({
  body: { envelope_id, user_email: "ann@example.com", widget_type: "sign", ...values },
});

async function memberOf(org: TestOrg, role: string) {
  const invited = await invite(org, newEmail(), role);
  const { json } = await accept(service, invited.token);
  return client(service.url, { authorization: `Bearer ${json.data.token}` });
}

let some: TestOrg;
beforeAll(async () => {
  some = await service.newOrg();
});

describe("POST /embed/token", () => {
  test("returns token, expiry, URL, widget and envelope, and nothing else", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const key = await org.newKey({ scopes: ["esign:write"] });
    const before = Math.floor(Date.now() / 1000) * 1000;
    const { status, json, headers } = await key.send("POST", "/embed/token", tokenBody(envelope_id));
    const { token, expires_at } = json.data;
    expect([status, json]).toEqual([
      200,
      {
        data: {
          token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
          embed_url: `https://sign.example.com/sign/${envelope_id}#token=${token}`,
          widget_type: "sign",
          envelope_id,
        },
      },
    ]);
    const minted = Date.parse(expires_at) - 900_000;
    expect([minted >= before, minted <= Date.now()]).toEqual([true, true]);
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("returns the vault's URL for the vault widget once the envelope is vaulted and has a file path", async () => {
    const org = await service.newOrg();
    const vaulted = await sentEnvelope(service, org, { status: "vaulted", vault_file_path: "x/vault/y.pdf" });
    const unnamed = await sentEnvelope(service, org, { status: "vaulted" });
    const key = await org.newKey({ scopes: ["vault:read"] });
    const { status, json } = await key.send("POST", "/embed/token", tokenBody(vaulted.envelope_id, { widget_type: "vault" }));
    expect([status, json.data.embed_url, json.data.widget_type]).toEqual([
      200,
      `https://sign.example.com/vault/${vaulted.envelope_id}#token=${json.data.token}`,
      "vault",
    ]);
    expect((await key.send("POST", "/embed/token", tokenBody(unnamed.envelope_id, { widget_type: "vault" }))).status).toBe(409);
  });

  test.each(statuses.flatMap((status) => (["sign", "vault"] as const).map((widget) => [status, widget] as const)))(
    "of an envelope that is %s, for the %s widget, follows the specification's table",
    async (status, widget_type) => {
      const { envelope_id } = await sentEnvelope(service, some, { status, vault_file_path: "x/vault/y.pdf" });
      const allowed = widget_type === "sign" ? ["sent", "viewed"] : ["vaulted"];
      const answer = await some.admin("POST", "/embed/token", tokenBody(envelope_id, { widget_type }));
      if (allowed.includes(status)) expect(answer.status).toBe(200);
      else expect([answer.status, answer.json]).toEqual([409, refusedWith(`The envelope is ${status}, which does not allow this`)]);
      expect(await statusOf(service, envelope_id)).toBe(status);
    },
  );

  test("of an expired envelope returns 409, even before the sweep has run", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org, { expires_at: new Date(Date.now() - 1) });
    const { status, json } = await org.admin("POST", "/embed/token", tokenBody(envelope_id));
    expect([status, json, await statusOf(service, envelope_id)]).toEqual([
      409,
      refusedWith("The envelope is expired, which does not allow this"),
      "sent",
    ]);
  });

  test("puts the requested language, or else the signer's own, before the fragment of the URL, and not into a claim", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const urlFor = async (values: object) => (await org.admin("POST", "/embed/token", tokenBody(envelope_id, values))).json.data;
    const french = await urlFor({ locale: "fr" });
    expect(french.embed_url).toBe(`https://sign.example.com/sign/${envelope_id}?lang=fr#token=${french.token}`);
    expect(Object.keys(decodeJwt(french.token)).sort()).toEqual(["aud", "envelopeId", "exp", "iat", "orgId", "userEmail", "widgetType"]);
    await service.database.owner("update signers set locale = 'de' where envelope_id = $1", [envelope_id]);
    expect((await urlFor({})).embed_url).toContain(`/sign/${envelope_id}?lang=de#token=`);
    expect((await urlFor({ locale: "es" })).embed_url).toContain(`/sign/${envelope_id}?lang=es#token=`);
    expect((await urlFor({ user_email: "viewer@example.com" })).embed_url).toContain(`/sign/${envelope_id}#token=`);
  });

  test("refuses an invalid address, an unknown widget, missing fields and unknown members with 422", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    for (const values of [
      { user_email: "ann" },
      { user_email: "" },
      { user_email: 7 },
      { user_email: undefined },
      { widget_type: "Sign" },
      { widget_type: undefined },
      { envelope_id: undefined },
      { envelope_id: null },
      { locale: "it" },
      { locale: "DE" },
      { locale: null },
      { locale: "" },
    ]) {
      const { status, json } = await org.admin("POST", "/embed/token", tokenBody(envelope_id, values));
      expect([status, json.details.map(({ field }: { field: string }) => field)]).toEqual([422, [Object.keys(values)[0]]]);
    }
    expect((await org.admin("POST", "/embed/token", tokenBody(envelope_id, { lang: "it", orgId: "x" }))).status).toBe(422);
  });

  test("checks the body, then the scope, then the envelope, then its status", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const voided = await sentEnvelope(service, org, { status: "voided" });
    const foreign = await sentEnvelope(service, other);
    const withoutScope = await org.newKey({ scopes: ["envelopes:write"] });
    const withScope = await org.newKey({ scopes: ["esign:write"] });
    const ask = async (key: typeof withScope, id: string, values: object = {}) =>
      (await key.send("POST", "/embed/token", tokenBody(id, values))).status;
    expect(await ask(withoutScope, newId("envelope"), { user_email: "x" })).toBe(422);
    expect(await ask(withoutScope, newId("envelope"))).toBe(403);
    expect(await ask(withoutScope, voided.envelope_id)).toBe(403);
    expect(await ask(withScope, voided.envelope_id)).toBe(409);
    const missing = await Promise.all(
      [foreign.envelope_id, newId("envelope"), "env_nonsense", ""].map((id) => withScope.send("POST", "/embed/token", tokenBody(id))),
    );
    expect(missing.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(missing.map(({ text }) => text))).toEqual(new Set([refusalText("Envelope not found")]));
  });

  test("needs esign:write for signing and vault:read for the vault, whichever other scopes a key has", async () => {
    const org = await service.newOrg();
    for (const scope of scopes) {
      const { send } = await org.newKey({ scopes: [scope] });
      for (const [widget_type, needed] of [
        ["sign", "esign:write"],
        ["vault", "vault:read"],
      ] as const) {
        const { status, json } = await send("POST", "/embed/token", tokenBody(newId("envelope"), { widget_type }));
        if (scope === needed) expect(status, scope).toBe(404);
        else expect([status, json], scope).toEqual([403, refusedWith(`Missing required scope: ${needed}`)]);
      }
    }
  });

  test("is open to sessions of admins and members; a viewer gets neither kind of token", async () => {
    const org = await service.newOrg();
    const sent = await sentEnvelope(service, org);
    const vaulted = await sentEnvelope(service, org, { status: "vaulted", vault_file_path: "x" });
    for (const [role, expected] of [
      ["admin", 200],
      ["member", 200],
      ["viewer", 403],
    ] as const) {
      const send = await memberOf(org, role);
      expect((await send("POST", "/embed/token", tokenBody(sent.envelope_id))).status, role).toBe(expected);
      expect((await send("POST", "/embed/token", tokenBody(vaulted.envelope_id, { widget_type: "vault" }))).status, role).toBe(expected);
    }
    expect((await service.send("POST", "/embed/token", tokenBody(sent.envelope_id))).status).toBe(401);
  });

  test("with an Idempotency-Key creates one token, and never shows it again", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const { send } = await org.newKey();
    const request = { ...tokenBody(envelope_id), headers: { "idempotency-key": "once" } };
    const first = await send("POST", "/embed/token", request);
    const second = await send("POST", "/embed/token", request);
    expect([first.status, second.status, second.json.error]).toEqual([
      200,
      409,
      "This request already succeeded. Its response contained a secret that is shown only once",
    ]);
    expect(await chainOf(service, org.org_id, envelope_id)).toHaveLength(1);
    const kept = await service.database.owner<{ body: string | null }>("select body from idempotent_answers where org_id = $1", [
      org.org_id,
    ]);
    expect(kept).toEqual([{ body: null }]);
  });

  test("records each token in the envelope's chain, and nothing else: which widget, for whom, by whom", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const key = await org.newKey();
    await key.send("POST", "/embed/token", tokenBody(envelope_id));
    await org.admin("POST", "/embed/token", tokenBody(envelope_id, { user_email: "Sam@Example.com" }));
    await key.send("POST", "/embed/token", tokenBody(envelope_id, { widget_type: "vault" }));
    expect(await chainOf(service, org.org_id, envelope_id)).toEqual([
      {
        type: "token.minted",
        actor: { kind: "key", id: key.key_id },
        data: { widget: "sign", user_email: "ann@example.com", by: key.key_id, token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
      {
        type: "token.minted",
        actor: { kind: "user", id: org.user_id },
        data: { widget: "sign", user_email: "Sam@Example.com", by: org.user_id, token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
  });
});
