import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { signAll } from "../../test/ceremony.ts";
import { client } from "../../test/client.ts";
import { endedAs, linkTokenFor, mailedSecret, newSession, page, sentEnvelope, tokenFor, voidEnvelope } from "../../test/envelopes.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import { buildHttp } from "../main.ts";
import { WIDGET_CALLS_PER_MINUTE } from "./authenticate-widget.ts";

const service = testService();
const sign = (envelope_id: string) => `/embed/sign/${envelope_id}`;

describe("a widget's token", () => {
  test("that was created before the envelope was voided is refused on the next call after it", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const pages = [
      page(service, await tokenFor(org, envelope_id, "ann@example.com")),
      page(service, await tokenFor(org, envelope_id, "nobody@example.com")),
      page(service, await linkTokenFor(service, signers[0].slug)),
    ];
    for (const send of pages) expect((await send("GET", sign(envelope_id))).status).toBe(200);
    expect(await voidEnvelope(service, envelope_id)).toBe(true);
    for (const send of pages) expect(endedAs(await send("GET", sign(envelope_id)))).toEqual([409, "voided"]);
    expect(endedAs((await pages[0]?.("POST", `${sign(envelope_id)}/decline`)) ?? expect.fail())).toEqual([409, "voided"]);
  });

  test("is refused after the envelope expired, even before the sweep has run", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const send = page(service, await tokenFor(org, envelope_id, "ann@example.com"));
    expect((await send("GET", sign(envelope_id))).status).toBe(200);
    await service.database.owner("update envelopes set expires_at = now() where envelope_id = $1", [envelope_id]);
    expect(endedAs(await send("GET", sign(envelope_id)))).toEqual([409, "expired"]);
    expect(endedAs(await send("POST", `${sign(envelope_id)}/decline`))).toEqual([409, "expired"]);
  });

  test("still opens an envelope that was completed meanwhile", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const send = page(service, await tokenFor(org, envelope_id, "ann@example.com"));
    await signAll(service, org, envelope_id, [["ann@example.com"]]);
    const { status, json } = await send("GET", sign(envelope_id));
    expect([status, json.data.state, json.data.envelope.status]).toEqual([200, "signed", "completed"]);
  });

  test("of the vault widget does not open the signing page", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org, { status: "vaulted", vault_file_path: "x" });
    const send = page(service, await tokenFor(org, envelope_id, "ann@example.com", "vault"));
    const { status, json } = await send("GET", sign(envelope_id));
    expect([status, json]).toEqual([401, refusedWith("Invalid or expired token")]);
  });

  test("must be sent together with the page's session on every call", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const authorization = `Bearer ${await tokenFor(org, envelope_id, "ann@example.com")}`;
    const without = await client(service.url, { authorization })("GET", sign(envelope_id));
    expect([without.status, without.json.details]).toMatchObject([
      422,
      [{ location: "header", field: "X-Signing-Session", code: "required" }],
    ]);
    for (const bad of ["", "x", newSession().slice(1), `${newSession()}0`, newSession().replace(/./, "G")]) {
      const headers = { authorization, "x-signing-session": bad };
      const { status, json } = await service.send("POST", `${sign(envelope_id)}/decline`, { headers });
      expect([status, json.details[0].code], bad).toEqual([422, "invalid_format"]);
    }
  });

  testInAll("allows 120 calls a minute, counted separately for each token", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const token = await tokenFor(org, envelope_id, "ann@example.com");
    const other = page(service, await linkTokenFor(service, signers[0].slug));
    const session = newSession();
    const answers = await Promise.all(
      Array.from({ length: WIDGET_CALLS_PER_MINUTE + 5 }, () => page(service, token, session)("GET", sign(envelope_id))),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(429)]).toEqual([WIDGET_CALLS_PER_MINUTE, 5]);
    const refused = await page(service, token)("POST", `${sign(envelope_id)}/decline`);
    expect([refused.status, refused.json, refused.headers["retry-after"]]).toEqual([429, { error: "Rate limit exceeded" }, "60"]);
    expect([refused.headers["x-ratelimit-limit"], refused.headers["x-ratelimit-remaining"]]).toEqual(["120", "0"]);
    const { status, headers } = await other("GET", sign(envelope_id));
    expect([status, headers["x-ratelimit-remaining"]]).toEqual([200, "119"]);
  });

  test("counts as the same token however the end of its signature is spelled", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const token = await tokenFor(org, envelope_id, "ann@example.com");
    const first = await page(service, token)("GET", sign(envelope_id));
    // The last character of 32 bytes in base64url has two unused bits.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = alphabet[alphabet.indexOf(token.slice(-1)) ^ 1];
    const second = await page(service, `${token.slice(0, -1)}${last}`)("GET", sign(envelope_id));
    expect([first, second].map(({ status, headers }) => [status, headers["x-ratelimit-remaining"]])).toEqual([
      [200, "119"],
      [200, "118"],
    ]);
  });

  test("and its slug do not appear in the log", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const link = await mailedSecret(service, signers[0].slug);
    const token = await linkTokenFor(service, signers[0].slug, link);
    const lines: string[] = [];
    const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
    const app = await buildHttp({ config: service.config, db: service.db, features: service.features, logger });
    const logged = page({ ...service, url: await app.listen({ port: 0, host: "127.0.0.1" }) }, token);
    expect((await logged("GET", sign(envelope_id))).status).toBe(200);
    expect((await logged("POST", `/embed/links/${signers[0].slug}/token`, { body: { secret: link } })).status).toBe(200);
    await app.close();
    const log = lines.join("\n");
    expect([log.includes('"actor":"signer"'), log.includes("/embed/links/:slug/token")]).toEqual([true, true]);
    for (const secret of [token, link, signers[0].slug]) expect(log).not.toContain(secret);
  });
});
