import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Answer } from "../../../test/client.ts";
import { chainOf, newSession, page, sentEnvelope, tokenFor } from "../../../test/envelopes.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { flipBit, vaultedByPipeline } from "../../../test/vaulted.ts";
import { signToken } from "../../embed/embed-token.ts";
import { buildFeatures } from "../../features.ts";
import { makeLogger } from "../../logger.ts";
import { buildHttp } from "../../main.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { sha256 } from "../../shared/secrets.ts";

const service = testService();
const SIGNER = "ann@example.com";
let readers = 0;
/** Two tokens for the same person within one second are identical, so each reader is a different person. */
const newReader = (): string => `reader-${++readers}@example.com`;

let org: TestOrg;
let envelope_id: EnvelopeId;
beforeAll(async () => {
  org = await service.newOrg("Example Company");
  envelope_id = await vaultedByPipeline(service, org, { secured_party: { name: "First Example Bank, N.A." } });
});

type Ask = (method: string, path?: string, body?: object) => Promise<Answer>;

/** A visitor of the widget with a token of their own. */
async function visitor(email: string): Promise<Ask> {
  return asking(await tokenFor(org, envelope_id, email, "vault"));
}

function asking(token: string): Ask {
  const send = page(service, token);
  return (method, path = "", body) => send(method, `/embed/vault/${envelope_id}${path}`, body === undefined ? {} : { body });
}

const refusal = ({ status, json }: Answer) => [status, json.details?.[0]?.code ?? json.error];
const entries = async (type: string) => (await chainOf(service, org.org_id, envelope_id)).filter((entry) => entry.type === type);
const accesses = async () => (await entries("vault.document.accessed")).map(({ data }) => [data.what, data.by]);
const setState = (state: string) =>
  service.database.owner("update authoritative_copies set state = $2 where envelope_id = $1", [envelope_id, state]);

describe("the record", () => {
  test("shows what the vault stores, its evaluation, its custodian and what the reader can download, and no more", async () => {
    const { status, json } = await (await visitor(SIGNER))("GET");
    expect(status).toBe(200);
    const { data } = json;
    expect(Object.keys(data)).toEqual([
      "envelope",
      "you",
      "copy",
      "document",
      "custodian",
      "custody",
      "secured_party",
      "assignments",
      "certificate",
      "checks",
      "warnings",
      "time_source",
      "default_locale",
      "branding",
      "token_expires_at",
      "server_time",
    ]);
    expect(data).toMatchObject({
      envelope: { envelope_id, name: "Contract", status: "vaulted", sender: "Example Company" },
      you: { email: SIGNER, may_have_evidence: true },
      copy: { state: "active", source: null, signed_here: true, legal_hold: false },
      document: { page_count: 1, pages: [{ n: 1, w: 612, h: 792 }] },
      custodian: { name: expect.any(String) },
      custody: [{ from: null, status: "accepted", until: null }],
      secured_party: { name: "First Example Bank, N.A." },
      assignments: [{ seq: 1, name: "First Example Bank, N.A.", status: "effective", with_consent: false }],
      certificate: { revision: 1, score: 100, passed: true },
      time_source: "self_operated",
    });
    expect(data.checks.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(data.custodian.name).not.toBe("");
  });

  test("is recorded as an access once per token, however often it is read", async () => {
    const before = (await accesses()).length;
    const [one, other] = [newReader(), newReader()];
    const ask = await visitor(one);
    await Promise.all([ask("GET"), ask("GET"), ask("GET")]);
    await (await visitor(other))("GET");
    expect((await accesses()).slice(before)).toEqual([
      ["widget", one],
      ["widget", other],
    ]);
  });

  test("of an envelope that is not vaulted yet returns 409 with a code to wait on", async () => {
    const other = await sentEnvelope(service, org, { status: "vaulted", vault_file_path: "x" });
    const send = page(service, await tokenFor(org, other.envelope_id, SIGNER, "vault"));
    expect(refusal(await send("GET", `/embed/vault/${other.envelope_id}`))).toEqual([409, "not_vaulted"]);
    expect(refusal(await send("POST", `/embed/vault/${other.envelope_id}/verify`, { body: {} }))).toEqual([409, "not_vaulted"]);
  });
});

describe("one copy per token", () => {
  test("serves pages, text and download, is marked for its reader, and is recorded once with concurrent requests", async () => {
    const [issued, accessed] = [(await entries("copy.issued")).length, (await accesses()).length];
    const reader = newReader();
    const ask = await visitor(reader);
    const [picture, , text, copy] = await Promise.all([
      ask("GET", "/pages/1"),
      ask("GET", "/pages/1?w=2448"),
      ask("GET", "/pages/1/text"),
      ask("GET", "/copy"),
    ]);
    expect([picture.status, picture.headers["content-type"], picture.headers["x-ratelimit-limit"]]).toEqual([200, "image/png", "600"]);
    const made = (await entries("copy.issued")).slice(issued);
    expect(made).toHaveLength(1);
    const { data } = made[0] ?? expect.fail("nothing was issued");
    const [copy_id, hash] = [String(data.copy_id), data.sha256];
    expect(data).toMatchObject({ kind: "copy", issued_to: reader, pages: 1, marked_pages: 1 });
    const shown = text.json.data.blocks.join(" ");
    for (const mark of ["COPY, not the authoritative copy", envelope_id, copy_id, reader]) expect(shown).toContain(mark);
    expect([copy.headers["x-copy-id"], sha256(copy.bytes).toString("hex"), copy.headers["x-document-rendition"]]).toEqual([
      copy_id,
      hash,
      "copy",
    ]);
    const { json } = await ask("GET");
    expect(copy.headers["x-authoritative-sha256"]).toBe(json.data.copy.sha256);
    expect(hash).not.toBe(json.data.copy.sha256);
    expect((await ask("GET", "/copy")).headers["x-copy-id"]).toBe(copy_id);
    expect((await accesses()).slice(accessed)).toEqual([
      ["widget", reader],
      ["copy", reader],
      ["copy", reader],
    ]);
    const another = await (await visitor(newReader()))("GET", "/copy");
    expect(another.headers["x-copy-id"]).not.toBe(copy_id);
  });

  test("is shared by several processes that made two at the same moment", async () => {
    const issued = (await entries("copy.issued")).length;
    const { config, db } = service;
    const features = buildFeatures(config, db, undefined, service.features.pdf);
    const app = await buildHttp({ config, db, features, logger: makeLogger("silent") });
    onTestFinished(() => app.close());
    const second = { ...service, url: await app.listen({ port: 0, host: "127.0.0.1" }) };
    const token = await tokenFor(org, envelope_id, newReader(), "vault");
    const processes = [page(service, token), page(second, token)];
    const answers = await Promise.all(processes.map((send) => send("GET", `/embed/vault/${envelope_id}/copy`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ headers }) => headers["x-copy-id"])).size).toBe(1);
    expect((await entries("copy.issued")).length).toBe(issued + 1);
  });

  test("is temporary: its bytes are an orphan for the store's sweep, and the next visit deletes expired visits", async () => {
    const kept = await service.database.owner("select from vault_visits v join blobs b using (org_id, sha256) where b.kept");
    expect(kept).toEqual([]);
    await service.database.owner("update vault_visits set expires_at = now() - interval '2 hours'");
    await (await visitor(newReader()))("GET");
    const left = await service.database.owner("select from vault_visits where org_id = $1", [org.org_id]);
    expect(left).toHaveLength(1);
  });
});

describe("downloads", () => {
  test("of certificates are for every viewer, as PDF and as JSON, and each is recorded as an access", async () => {
    const before = (await accesses()).length;
    const reader = newReader();
    const ask = await visitor(reader);
    const pdf = await ask("GET", "/certificate");
    expect([pdf.headers["content-type"], pdf.bytes.subarray(0, 5).toString()]).toEqual(["application/pdf", "%PDF-"]);
    const { data } = (await ask("GET", "/certificate?format=json")).json;
    expect(data).toMatchObject({ certificate_id: `${envelope_id}-r1`, score: 100 });
    const file = await ask("GET", "/certificate?format=file");
    expect(file.headers["content-disposition"]).toMatch(/^attachment; /);
    expect(JSON.parse(file.bytes.toString())).toEqual(data);
    expect((await accesses()).slice(before)).toEqual([
      ["certificate", reader],
      ["certificate", reader],
      ["certificate", reader],
    ]);
  });

  test("of evidence are only for members of the organization and signers", async () => {
    const reader = newReader();
    const outsider = await visitor(reader);
    expect((await outsider("GET")).json.data.you).toEqual({ email: reader, may_have_evidence: false });
    const refused = await outsider("GET", "/evidence");
    expect([refused.status, refused.json]).toEqual([
      403,
      refusedWith("Only members of the organization and signers can download the evidence"),
    ]);
    for (const email of [SIGNER, org.email.toUpperCase()]) {
      const { status, headers, bytes } = await (await visitor(email))("GET", "/evidence");
      expect([status, headers["content-type"], bytes.subarray(0, 2).toString()], email).toEqual([200, "application/zip", "PK"]);
    }
  });
});

describe("the access log", () => {
  test("is paged, newest first, names people without slugs, and shows IP addresses only to parties", async () => {
    const key = await org.newKey();
    await key.send("GET", `/partner/envelopes/${envelope_id}/vault/certificate`);
    await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/certificate`);
    const ask = await visitor(SIGNER);
    await ask("GET", "/certificate");
    const { json, text } = await ask("GET", "/access-log?limit=3");
    expect([json.meta.limit, json.meta.page, json.meta.total > 5]).toEqual([3, 1, true]);
    expect(json.data).toMatchObject([
      { kind: "signer", who: SIGNER, what: "certificate", ip: "127.0.0.1" },
      { kind: "user", who: expect.any(String), what: "certificate", ip: "127.0.0.1" },
      { kind: "key", who: null, what: "certificate", ip: "127.0.0.1" },
    ]);
    const [signer] = await service.database.owner<{ slug: string }>("select slug from signers where envelope_id = $1", [envelope_id]);
    for (const secret of [signer?.slug ?? expect.fail(), key.key_id, org.user_id]) expect(text).not.toContain(secret);
    const second = await ask("GET", "/access-log?limit=3&page=2");
    expect(second.json.data[0].seq).toBeLessThan(json.data[2].seq);
    const outside = await (await visitor(newReader()))("GET", "/access-log?limit=1000");
    expect([outside.json.meta.limit, new Set(outside.json.data.map(({ ip }: { ip: unknown }) => ip))]).toEqual([200, new Set([null])]);
  });
});

describe("an invalid call", () => {
  test("with a token of the signing page, an expired token or none returns 401", async () => {
    const other = await sentEnvelope(service, org);
    const claims = { envelope_id, org_id: org.org_id, user_email: SIGNER, widget: "vault", link: null } as const;
    const { token: ended } = await signToken(service.features.embed, "embed_token", claims, new Date(Date.now() - 901_000));
    for (const token of [await tokenFor(org, other.envelope_id, SIGNER), ended, "x.y.z"]) {
      for (const path of ["", "/pages/1", "/copy", "/access-log"]) {
        const { status, json } = await asking(token)("GET", path);
        expect([status, json]).toEqual([401, refusedWith("Invalid or expired token")]);
      }
    }
    const headers = { "x-signing-session": newSession() };
    expect((await service.send("GET", `/embed/vault/${envelope_id}`, { headers })).status).toBe(401);
  });

  test("names a page, width, format, log page or hash that does not exist", async () => {
    const issued = (await entries("copy.issued")).length;
    const ask = await visitor(SIGNER);
    for (const n of ["2", "0", "-1", "x", "99999"]) {
      expect((await ask("GET", `/pages/${n}`)).json, n).toEqual(refusedWith("The document has no such page"));
      expect((await ask("GET", `/pages/${n}/text`)).status, n).toBe(404);
    }
    for (const path of ["/pages/1?w=1000", "/certificate?format=xml", "/access-log?page=0"]) {
      expect((await ask("GET", path)).status, path).toBe(422);
    }
    expect((await ask("POST", "/verify", { sha256: "not a hash" })).status).toBe(422);
    expect((await entries("copy.issued")).length).toBe(issued);
  });
});

describe("verifying now", () => {
  test("checks bytes, seal, chain and registers, returns the findings, and is recorded like a sweep's verification", async () => {
    const { status, json } = await (await visitor(newReader()))("POST", "/verify", {});
    expect([status, json.data]).toEqual([
      200,
      {
        checked_at: expect.any(String),
        recorded_sha256: json.data.found_sha256,
        found_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        match: true,
        seal: "sound",
        chain: "sound",
        entries: (await chainOf(service, org.org_id, envelope_id)).length,
        registers: "sound",
        timestamp: "self_operated",
        sound: true,
        state: "active",
        duration_ms: expect.any(Number),
        file: null,
      },
    ]);
    const record = await (await visitor(newReader()))("GET");
    expect(Date.parse(record.json.data.copy.verified_at)).toBeLessThanOrEqual(Date.parse(json.data.checked_at));
  });

  test("identifies a file: a copy, a certificate, or not part of this record", async () => {
    const ask = await visitor(newReader());
    const copy = await ask("GET", "/copy");
    const certificate = await ask("GET", "/certificate");
    const fileOf = async (bytes: Uint8Array) => (await ask("POST", "/verify", { sha256: sha256(bytes).toString("hex") })).json.data.file;
    expect(await fileOf(copy.bytes)).toMatchObject({ kind: "copy", copy_id: copy.headers["x-copy-id"], revision: null });
    expect(await fileOf(certificate.bytes)).toMatchObject({ kind: "certificate", copy_id: null, revision: 1 });
    expect(await fileOf(Buffer.from("something else"))).toBeNull();
  });

  test("is limited to six times per minute and token", async () => {
    const ask = await visitor(newReader());
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask("POST", "/verify", {})));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.json, refused?.headers["x-ratelimit-limit"]]).toEqual([{ error: "Rate limit exceeded" }, "6"]);
    expect((await (await visitor(newReader()))("POST", "/verify", {})).status).toBe(200);
  });
});

describe("a copy that is not live", () => {
  test("that left the vault is still shown as a copy, and cannot be verified", async () => {
    await setState("exported");
    const ask = await visitor(SIGNER);
    expect((await ask("GET")).json.data.copy.state).toBe("exported");
    expect((await ask("GET", "/pages/1")).status).toBe(200);
    expect(refusal(await ask("POST", "/verify", {}))).toEqual([409, "exported"]);
    await setState("active");
  });

  test("that was destroyed is not handed out, but its certificate is", async () => {
    await setState("destroyed");
    const ask = await visitor(SIGNER);
    for (const path of ["/pages/1", "/pages/1/text", "/copy", "/evidence"]) {
      expect(refusal(await ask("GET", path)), path).toEqual([409, "destroyed"]);
    }
    expect((await ask("GET", "/certificate")).status).toBe(200);
    await setState("active");
  });

  test("can be found damaged by a verification: from then on nothing of it is handed out, and the record says so", async () => {
    const ask = await visitor(SIGNER);
    expect((await ask("GET", "/pages/1")).status).toBe(200);
    const { copy } = (await ask("GET")).json.data;
    await flipBit(service, org, copy.sha256);
    for (const again of [1, 2]) {
      const { data } = (await ask("POST", "/verify", {})).json;
      expect(data, `look ${again}`).toMatchObject({ match: false, seal: "unread", chain: "sound", sound: false, state: "tampered" });
      expect(data.found_sha256).not.toBe(copy.sha256);
    }
    expect(await entries("vault.document.tamper_detected")).toHaveLength(1);
    for (const path of ["/pages/1", "/pages/1/text", "/copy", "/evidence"]) {
      expect(refusal(await ask("GET", path)), path).toEqual([409, "tampered"]);
    }
    const { data } = (await ask("GET")).json;
    expect([data.copy.state, data.warnings.map(({ code }: { code: string }) => code)]).toEqual([
      "tampered",
      expect.arrayContaining(["tamper_detected"]),
    ]);
    expect((await ask("GET", "/certificate")).status).toBe(200);
  });
});
