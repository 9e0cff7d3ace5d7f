import { describe, expect, test } from "vitest";
import { makeReady, signingSession } from "../../../test/ceremony.ts";
import { chainOf, newSession, sentEnvelope } from "../../../test/envelopes.ts";
import { testService } from "../../../test/service.ts";
import { currentText } from "../../texts/current-texts.ts";

const service = testService();

async function newSigningSession(values = {}) {
  const org = await service.newOrg();
  const envelope = await sentEnvelope(service, org, values);
  const at = (email: string, session?: string) => signingSession(service, org, envelope.envelope_id, email, session);
  const chain = async () => (await chainOf(service, org.org_id, envelope.envelope_id)).filter(({ type }) => type.startsWith("consent"));
  return { org, envelope, at, chain, one: await at("ann@example.com") };
}

describe("POST /embed/sign/:envelope_id/consent", () => {
  test("records the text that was shown, the version that was seen and the session, once", async () => {
    const { one, chain } = await newSigningSession();
    await one.see();
    const { status, json } = await one.consent();
    expect([status, json.data]).toEqual([200, { accepted: true, accepted_at: expect.stringMatching(/Z$/) }]);
    expect((await one.consent()).json.data, "giving it again changes nothing").toEqual(json.data);
    const { version, locale, sha256 } = currentText(service.features.texts, "disclosure");
    expect(await chain()).toEqual([
      {
        type: "consent.accepted",
        actor: expect.objectContaining({ kind: "signer" }),
        data: {
          disclosure_version: version,
          disclosure_locale: locale,
          disclosure_sha256: sha256,
          prepared_sha256: (await one.open()).json.data.document.prepared_sha256,
          rendered_at: expect.stringMatching(/Z$/),
          signing_session: one.session,
        },
      },
    ]);
    expect((await one.open()).json.data.consent.accepted_at).toBe(json.data.accepted_at);
  });

  test("is refused before page 1 was served in this session, and if the viewer did not draw it", async () => {
    const { one, at, chain } = await newSigningSession();
    const refusal = async (answer: Promise<{ status: number; json: { details: { code: string }[] } }>) => {
      const { status, json } = await answer;
      return [status, json.details[0]?.code];
    };
    expect(await refusal(one.consent())).toEqual([409, "document_not_rendered"]);
    const other = await at("ann@example.com", newSession());
    await other.see();
    expect(await refusal(one.consent()), "another session saw it").toEqual([409, "document_not_rendered"]);
    await one.see();
    expect(await refusal(one.consent({ rendered_pages: [] }))).toEqual([409, "document_not_rendered"]);
    expect(await chain()).toEqual([]);
  });

  test("records the text in the language in which it was shown, and stays valid when the page is opened in another", async () => {
    const { one, at, chain } = await newSigningSession();
    await one.see();
    const german = currentText(service.features.texts, "disclosure", "de");
    const { status, json } = await one.consent({ disclosure_sha256: german.sha256 });
    expect(status).toBe(200);
    const recorded = { disclosure_version: german.version, disclosure_locale: "de", disclosure_sha256: german.sha256 };
    expect((await chain()).map(({ data }) => data)).toEqual([expect.objectContaining(recorded)]);
    const french = await at("ann@example.com");
    expect((await french.send("GET", "?lang=fr")).json.data.consent).toEqual({
      accepted_at: json.data.accepted_at,
      disclosure: currentText(service.features.texts, "disclosure", "fr"),
    });
    await french.see();
    expect((await french.consent({ disclosure_sha256: currentText(service.features.texts, "disclosure", "fr").sha256 })).json.data).toEqual(
      json.data,
    );
    expect(await chain()).toHaveLength(1);
    await one.send("POST", "/consent", { body: { accepted: false } });
    await one.consent({ disclosure_sha256: currentText(service.features.texts, "disclosure", "es").sha256 });
    expect((await chain()).at(-1)?.data).toMatchObject({ disclosure_locale: "es" });
  });

  test("is refused for another text than the one shown, without revealing the right one", async () => {
    const { one, chain } = await newSigningSession();
    await one.see();
    for (const [field, wrong] of [
      ["disclosure_version", { disclosure_version: "2020-01" }],
      ["disclosure_sha256", { disclosure_sha256: "0".repeat(64) }],
      ["rendered_pages", { rendered_pages: undefined }],
      ["accepted", { accepted: "yes" }],
    ] as const) {
      const { status, json } = await one.consent(wrong);
      expect([status, json.details[0].field]).toEqual([422, field]);
    }
    expect(await chain()).toEqual([]);
  });

  test("once withdrawn, nothing can be entered or signed until it is given again", async () => {
    const { one, chain } = await newSigningSession();
    await makeReady(one);
    const withdrawn = await one.send("POST", "/consent", { body: { accepted: false } });
    expect([withdrawn.status, withdrawn.json.data]).toEqual([200, { accepted: false, accepted_at: null }]);
    for (const answer of [await one.complete(), await one.save({ values: [] })]) {
      expect([answer.status, answer.json.details[0].code]).toEqual([409, "consent_required"]);
    }
    expect((await one.send("POST", "/consent", { body: { accepted: false } })).status, "again").toBe(200);
    expect((await one.consent()).status).toBe(200);
    expect((await one.complete()).json.details[0], "marks of the old consent are removed").toMatchObject({ code: "required" });
    await makeReady(one);
    expect((await one.complete()).status).toBe(200);
    expect((await chain()).map(({ type }) => type)).toEqual(["consent.accepted", "consent.withdrawn", "consent.accepted"]);
  });

  test("to an earlier text does not count for the current one", async () => {
    const { one, envelope, chain } = await newSigningSession();
    await makeReady(one);
    await service.database.owner("update consents set disclosure_sha256 = $2 where slug = $1", [envelope.signers[0].slug, "0".repeat(64)]);
    expect((await one.open()).json.data.consent.accepted_at).toBe(null);
    expect((await one.complete()).json.details[0].code).toBe("consent_required");
    expect((await one.consent()).status).toBe(200);
    expect((await one.complete()).status).toBe(200);
    expect(await chain()).toHaveLength(2);
  });

  test("can only be given by a signer whose turn it is and who has not signed", async () => {
    const { at, envelope } = await newSigningSession({ signers: ["ann@example.com", "sam@example.com"] });
    expect((await (await at("boss@example.com")).consent()).status).toBe(403);
    const waiting = await (await at("sam@example.com")).consent();
    expect([waiting.status, waiting.json.details[0].code]).toEqual([409, "not_your_turn"]);
    const ann = await at("ann@example.com");
    await makeReady(ann);
    await ann.complete();
    expect((await ann.consent()).status).toBe(409);
    expect(envelope.signers).toHaveLength(2);
  });

  test("given forty times at once is recorded once", async () => {
    const { one, chain } = await newSigningSession();
    await one.see();
    const answers = await Promise.all(Array.from({ length: 40 }, () => one.consent()));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.data.accepted_at}`)).size).toBe(1);
    expect(await chain()).toHaveLength(1);
  });
});

test.each([
  ["en", "Sign on paper instead", "Withdraw consent", "Decline", "Continue", "Sign"],
  ["es", "Prefiero firmar en papel", "Retirar el consentimiento", "Rechazar", "Continuar", "Firmar"],
  ["fr", "Signer plutôt sur papier", "Retirer le consentement", "Refuser", "Continuer", "Signer"],
  ["de", "Lieber auf Papier unterschreiben", "Einwilligung widerrufen", "Ablehnen", "Weiter", "Unterschreiben"],
])(
  "the texts in %s have the same eight points, and name the page's buttons as the page does",
  (lang, paper, withdraw, decline, next, sign) => {
    const { text } = currentText(service.features.texts, "disclosure", lang);
    expect([...text.matchAll(/^(\d)\. /gm)].map(([, point]) => Number(point))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const point = (n: number) => text.split("\n").find((line) => line.startsWith(`${n}. `)) ?? "";
    expect(point(2)).toMatch(new RegExp(`["„«]\u00a0?${paper}.*["„«]\u00a0?${decline}`));
    expect([point(4).includes(withdraw), point(8).includes(next)]).toEqual([true, true]);
    expect(point(7)).toMatch(/Chrome 111, Edge 111, Firefox 114, Safari 16\.4/);
    expect(currentText(service.features.texts, "intent", lang).text).toContain(sign);
  },
);
