import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { linkTokenFor, newSession, sentEnvelope, type TestEnvelope, tokenFor } from "../../test/envelopes.ts";
import { refusalText, refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";

const service = testService({ EMBED_URL: "https://sign.example.com:8443" });

type Kind = "embed" | "link";
const refused = [401, refusedWith("Invalid or expired token")];

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const part = (token: string, index: number) => token.split(".")[index] ?? "";
const without = (payload: JWTPayload, claim: string) => Object.fromEntries(Object.entries(payload).filter(([name]) => name !== claim));
const seconds = () => Math.floor(Date.now() / 1000);
const lasting = (iat: number) => ({ iat, exp: iat + 900 });

let org: TestOrg;
let envelope: TestEnvelope;
beforeAll(async () => {
  org = await service.newOrg();
  envelope = await sentEnvelope(service, org);
});

const realToken = (kind: Kind) =>
  kind === "embed" ? tokenFor(org, envelope.envelope_id, "ann@example.com") : linkTokenFor(service, envelope.signers[0].slug);

const open = (authorization: string) =>
  service.send("GET", `/embed/sign/${envelope.envelope_id}`, { headers: { authorization, "x-signing-session": newSession() } });

describe.each(["embed", "link"] as const)("an %s token", (kind) => {
  const header = { alg: "HS256", typ: `${kind}+jwt`, kid: "1" };
  const ownKey = () => service.features.orgs.keys[kind][0].key;
  const sign = (payload: JWTPayload, protectedHeader: { alg: string; typ?: string; kid?: string } = header, key: Uint8Array = ownKey()) =>
    new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key);
  const otherKind = kind === "embed" ? "link" : "embed";

  // Refused credentials have a quota per address, and all of these come from the same one.
  beforeEach(() => service.database.owner("delete from quotas"));

  test("contains holder, envelope and expiry, and nothing else", async () => {
    const before = seconds();
    const token = await realToken(kind);
    expect(decodeProtectedHeader(token)).toEqual(header);
    const { iat = 0, ...claims } = decodeJwt(token);
    expect([iat >= before, iat <= seconds()]).toEqual([true, true]);
    expect(claims).toEqual({
      envelopeId: envelope.envelope_id,
      orgId: org.org_id,
      userEmail: "ann@example.com",
      widgetType: "sign",
      aud: "sign.example.com",
      exp: iat + 900,
      // The hash of its link's secret. An embed token has exactly the claims of the specification.
      ...(kind === "link" && { link: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    });
  });

  test("with the right key and claims passes, so each forgery below fails for its own reason", async () => {
    const token = await realToken(kind);
    expect((await open(`Bearer ${token}`)).status).toBe(200);
    expect((await open(`bearer ${await sign(decodeJwt(token))}`)).status).toBe(200);
    expect((await open(`Bearer ${await sign({ ...decodeJwt(token), ...lasting(seconds() - 890) })}`)).status).toBe(200);
  });

  const forgeries: Record<string, (real: JWTPayload, token: string) => string | Promise<string>> = {
    "alg none without a signature": (real) => `${base64({ ...header, alg: "none" })}.${base64(real)}.`,
    "alg none with the signature of a real one": (real, token) => `${base64({ ...header, alg: "none" })}.${base64(real)}.${part(token, 2)}`,
    "another algorithm of the same key": (real) => sign(real, { ...header, alg: "HS512" }, Buffer.concat([ownKey(), Buffer.alloc(32)])),
    "another key": (real) => sign(real, header, Buffer.alloc(32, 7)),
    "an empty key": (real) => sign(real, header, new Uint8Array(1)),
    "the key of the other kind": (real) => sign(real, header, service.features.orgs.keys[otherKind][0].key),
    "the type of the other kind": (real) => sign(real, { ...header, typ: `${otherKind}+jwt` }),
    "the key of sessions": (real) => sign(real, header, service.features.orgs.keys.session[0].key),
    "the type of a session": (real) => sign(real, { ...header, typ: "session+jwt" }),
    "type JWT": (real) => sign(real, { ...header, typ: "JWT" }),
    "a version of the secret that is not known": (real) => sign(real, { ...header, kid: "2" }),
    "no type": (real) => sign(real, { alg: "HS256" }),
    "a session token instead": () => org.token,
    "another audience": (real) => sign({ ...real, aud: "console" }),
    "the audience with its port": (real) => sign({ ...real, aud: "sign.example.com:8443" }),
    ...Object.fromEntries(
      ["envelopeId", "orgId", "userEmail", "widgetType", "aud", "iat", "exp"].map((claim) => [
        `no ${claim}`,
        (real: JWTPayload) => sign(without(real, claim)),
      ]),
    ),
    "an expiry in the past": (real) => sign({ ...real, ...lasting(seconds() - 901) }),
    "a postponed expiry": (real) => sign({ ...real, exp: (real.exp ?? 0) + 1 }),
    "an expiry that is not a whole second": (real) => sign({ ...real, exp: (real.exp ?? 0) + 0.5 }),
    "expiry and issue times that are not whole seconds": (real) => sign({ ...real, ...lasting(seconds() + 0.5) }),
    "an expiry as text": (real) => sign({ ...real, exp: String(real.exp) as never }),
    "an issue time in the future": (real) => sign({ ...real, ...lasting(seconds() + 120) }),
    "the other widget": (real) => sign({ ...real, widgetType: "vault" }),
    "a widget that does not exist": (real) => sign({ ...real, widgetType: "Sign" }),
    "an organization that is not an id": (real) => sign({ ...real, orgId: "org_'; drop table users" }),
    "an envelope that is a number": (real) => sign({ ...real, envelopeId: 7 }),
    "an empty address": (real) => sign({ ...real, userEmail: "" }),
    "a changed payload": (real, token) => `${part(token, 0)}.${base64({ ...real, userEmail: "sam@example.com" })}.${part(token, 2)}`,
    "a changed header": (_real, token) => `${base64({ ...header, cty: "x" })}.${part(token, 1)}.${part(token, 2)}`,
    "a truncated signature": (_real, token) => token.slice(0, -4),
    "no signature": (_real, token) => token.split(".").slice(0, 2).join("."),
    "padding at the end": (_real, token) => `${token}=`,
    "a fourth part": (_real, token) => `${token}.${part(token, 2)}`,
    "another token after it": (_real, token) => `${token} ${token}`,
    "another token after a comma": (_real, token) => `${token},${token}`,
    "a payload that is not JSON": (_real, token) => `${part(token, 0)}.bm90IGpzb24.${part(token, 2)}`,
    "look-alike letters": (_real, token) => token.replace(/e/, "\u00e9"),
    "percent signs": (_real, token) => encodeURIComponent(`${token}\u0435`),
    garbage: () => "garbage",
    "only dots": () => "..",
    nothing: () => "",
  };

  test.each(Object.entries(forgeries))("with %s is refused", async (_name, forge) => {
    const token = await realToken(kind);
    const { status, json } = await open(`Bearer ${await forge(decodeJwt(token), token)}`);
    expect([status, json]).toEqual(refused);
  });

  test("is refused without Bearer, in a query, in a cookie and as an API key", async () => {
    const token = await realToken(kind);
    const path = `/embed/sign/${envelope.envelope_id}`;
    const session = { "x-signing-session": newSession() };
    const { api_key } = await org.newKey();
    for (const [address, headers] of [
      [path, {}],
      [path, { authorization: token }],
      [path, { authorization: `Basic ${token}` }],
      [path, { "x-api-key": token }],
      [path, { "x-api-key": api_key }],
      [path, { cookie: `token=${token}` }],
      [`${path}?token=${token}`, {}],
    ] as const) {
      const { status, json } = await service.send("GET", address, { headers: { ...session, ...headers } });
      expect([status, json]).toEqual(refused);
    }
  });

  test("of another organization finds nothing, however well it is signed", async () => {
    const other = await service.newOrg();
    const { status, json } = await open(`Bearer ${await sign({ ...decodeJwt(await realToken(kind)), orgId: other.org_id })}`);
    // The address does not belong to a signer there, so a link token is refused and an embed token finds nothing.
    expect([status, json]).toEqual(kind === "link" ? refused : [404, refusedWith("Envelope not found")]);
  });

  test("opens only its widget: no partner call, no session call", async () => {
    const token = await realToken(kind);
    for (const path of ["/auth/me", "/partner/envelopes", `/partner/envelopes/${envelope.envelope_id}/signers`]) {
      expect((await service.send("GET", path, { headers: { authorization: `Bearer ${token}` } })).status, path).toBe(401);
      expect((await service.send("GET", path, { headers: { "x-api-key": token } })).status, path).toBe(401);
    }
  });

  test("for an envelope that does not exist returns 404, and so does a valid one on another envelope's path", async () => {
    const token = await realToken(kind);
    const never = newId("envelope");
    const forged = await sign({ ...decodeJwt(token), envelopeId: never });
    const ask = (id: string, bearer: string) =>
      service.send("GET", `/embed/sign/${id}`, { headers: { authorization: `Bearer ${bearer}`, "x-signing-session": newSession() } });
    const answers = [await ask(never, token)];
    if (kind === "embed") answers.push(await ask(never, forged));
    for (const { status, text } of answers) expect([status, text]).toEqual([404, refusalText("Envelope not found", "path", "envelope_id")]);
  });
});
