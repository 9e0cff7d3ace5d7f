import { describe, expect, test } from "vitest";
import { onePage, text } from "../../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../../pdf/fixtures/writer.ts";
import { type SigningSession, signingSession, typedMark } from "../../../test/ceremony.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { png } from "../../../test/png.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";

const service = testService();

/** Every type of field, a locked one, and two linked ones. */
const everyField = writePdf(
  onePage({
    content: [
      "{{Name;role=Tenant;required=true}}",
      "{{Rent;role=Tenant;type=number}}",
      "{{Start;role=Tenant;type=date}}",
      "{{Pet;role=Tenant;type=checkbox;required=true}}",
      "{{Floor;role=Tenant;type=select;options=first,second}}",
      "{{Pay;role=Tenant;type=radio;options=monthly,yearly}}",
      "{{Deposit;role=Tenant;readonly=true;required=true;default=500}}",
      "{{Sign;role=Tenant;type=signature}}",
      "{{Init;role=Tenant;type=initials}}",
      "{{Name;role=Tenant}}",
      "{{Name;role=Landlord}}",
      "{{Seal;role=Landlord;type=signature}}",
    ]
      .map((tag, line) => text(tag, 72, 720 - 40 * line))
      .join(" "),
  }),
);

async function newSigningSession(prefilled_data = {}): Promise<{ org: TestOrg; key: TestKey; one: SigningSession; envelope_id: string }> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key, everyField), { prefilled_data });
  expect((await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } })).status).toBe(200);
  const one = await signingSession(service, org, envelope_id, tenant.email);
  await one.see();
  await one.consent();
  return { org, key, one, envelope_id };
}

type Shown = { name: string; value: unknown; error: { code: string } | null; field_id: string; areas: unknown[]; readonly: boolean };
const shown = async (one: SigningSession): Promise<Shown[]> => (await one.open()).json.data.fields;
const named = async (one: SigningSession, name: string): Promise<Shown> =>
  (await shown(one)).find((field) => field.name === name) ?? expect.fail(name);

describe("PUT /embed/sign/:envelope_id/fields", () => {
  test("stores values of every type, and returns the progress", async () => {
    const { one } = await newSigningSession();
    expect((await one.open()).json.data.progress).toEqual({ done: 1, total: 5 });
    const saved = await one.fill({ Name: "Ann", Rent: "1.200,50", Start: "2026-03-01", Pet: true, Floor: "second", Pay: "yearly" });
    expect([saved.status, saved.json.data.errors]).toEqual([200, [expect.objectContaining({ code: "invalid_value" })]]);
    await one.fill({ Rent: " +1200,50 " });
    expect((await named(one, "Rent")).value, "in its normal form, as it will be signed").toBe("1200.50");
    const again = await one.fill({ Rent: 1200.5 });
    expect(again.json.data).toEqual({ revision: 3, progress: { done: 3, total: 5 }, errors: [] });
    expect(Object.fromEntries((await shown(one)).map(({ name, value }) => [name, value]))).toEqual({
      Name: "Ann",
      Rent: "1200.5",
      Start: "2026-03-01",
      Pet: true,
      Floor: "second",
      Pay: "yearly",
      Deposit: "500",
      Sign: false,
      Init: false,
    });
  });

  test("fills linked fields once, in all their places, but not another role's field of the same name", async () => {
    const { one } = await newSigningSession();
    const fields = await shown(one);
    expect(fields.filter(({ name }) => name === "Name")).toHaveLength(1);
    expect((await named(one, "Name")).areas).toHaveLength(2);
  });

  test("shows fields in reading order", async () => {
    const { one } = await newSigningSession();
    expect((await shown(one)).map(({ name }) => name)).toEqual(["Name", "Rent", "Start", "Pet", "Floor", "Pay", "Deposit", "Sign", "Init"]);
  });

  test("starts with the sender's values, which the signer can change unless they are locked", async () => {
    const { one } = await newSigningSession({ Name: "Ann Example", Deposit: "750" });
    expect([(await named(one, "Name")).value, (await named(one, "Deposit")).value]).toEqual(["Ann Example", "750"]);
    await one.fill({ Name: "" });
    expect((await named(one, "Name")).value, "a cleared value stays empty").toBe(null);
    const { status, json } = await one.fill({ Deposit: "1" });
    expect([status, json.details[0]]).toEqual([422, expect.objectContaining({ field: "values[0].field_id", code: "read_only" })]);
    expect((await named(one, "Deposit")).value).toBe("750");
  });

  test.each([
    ["Rent", "twelve", "invalid_value"],
    ["Start", "2026-02-30", "invalid_value"],
    ["Floor", "third", "invalid_value"],
    ["Pet", "maybe", "invalid_value"],
    ["Name", "n".repeat(2_001), "invalid_value"],
    ["Name", "A name that goes on and on ".repeat(40), "does_not_fit"],
    ["Name", "রহিম", "invalid_value"],
    ["Name", "Ann \u{1f600}", "invalid_value"],
    ["Name", "pay 100\u202e009 yap", "invalid_value"],
    ["Name", "bell \u0007", "invalid_value"],
  ])("%s = %.20s is stored as a draft and reported as %s", async (name, value, code) => {
    const { one } = await newSigningSession();
    const { status, json } = await one.fill({ [name]: value });
    expect([status, json.data.errors]).toEqual([200, [expect.objectContaining({ code })]]);
    expect([(await named(one, name)).value, (await named(one, name)).error?.code]).toEqual([value, code]);
  });

  test("accepts names in many scripts, and names the characters that cannot be drawn", async () => {
    const { one } = await newSigningSession();
    for (const value of ["山田太郎", "张伟", "김철수", "สมชาย", "राजेन्द्र", "שרה", "Ann ✓"]) {
      expect((await one.fill({ Name: value })).json.data.errors, value).toEqual([]);
    }
    const { json } = await one.fill({ Name: "Ann 😀 রহিম 😀" });
    const says = "contains characters that cannot be drawn in the document: 😀 (U+1F600), র (U+09B0), হ (U+09B9), U+09BF, ম (U+09AE)";
    expect(json.data.errors).toEqual([expect.objectContaining({ code: "invalid_value", message: says })]);
    const typed = await one.save({ adopt: { signature: { kind: "typed", text: "Ann 😀", font: "caveat" } } });
    expect([typed.status, typed.json.details[0].message]).toEqual([
      422,
      expect.stringMatching(/😀 \(U\+1F600\)\. Draw your signature instead/),
    ]);
  });

  test("refuses another signer's field, an unknown one and an invalid value: 422, and nothing of the request is stored", async () => {
    const { one, org, envelope_id } = await newSigningSession();
    const seal = (
      await service.database.owner<{ position: number }>("select position from envelope_fields where envelope_id = $1 and name = 'Seal'", [
        envelope_id,
      ])
    )[0]?.position;
    const name = (await named(one, "Name")).field_id;
    for (const bad of [
      { field_id: `f${seal}`, value: true },
      { field_id: "f999", value: "x" },
      { field_id: "nonsense", value: "x" },
    ]) {
      const { status, json } = await one.save({ values: [{ field_id: name, value: "Ann" }, bad] });
      expect([status, json.details[0]]).toEqual([422, expect.objectContaining({ field: "values[1].field_id", code: "unknown_field" })]);
    }
    for (const value of [{}, [], undefined]) expect((await one.save({ values: [{ field_id: name, value }] })).status).toBe(422);
    expect((await named(one, "Name")).value).toBe(null);
    const boss = await signingSession(service, org, envelope_id, "boss@example.com");
    expect((await boss.save({ values: [] })).status).toBe(403);
  });

  test("treats invisible text as empty", async () => {
    const { one } = await newSigningSession();
    await one.fill({ Name: "\u200b \u2060" });
    expect([(await named(one, "Name")).value, (await named(one, "Name")).error?.code]).toEqual([null, "required"]);
  });

  test("does not look at an image from a person who cannot sign", async () => {
    const { org, envelope_id } = await newSigningSession();
    const before = service.features.pdf.stats().jobs["picture:ok"];
    const adopt = { signature: { kind: "uploaded", png: png({ width: 40, height: 20 }).toString("base64") } };
    const boss = await signingSession(service, org, envelope_id, "boss@example.com");
    expect((await boss.save({ adopt })).status).toBe(403);
    const sam = await signingSession(service, org, envelope_id, landlord.email);
    expect((await sam.save({ adopt })).json.details[0].code).toBe("not_your_turn");
    expect(service.features.pdf.stats().jobs["picture:ok"]).toBe(before);
  });

  test("needs consent and a turn", async () => {
    const { org, envelope_id } = await newSigningSession();
    const fresh = await signingSession(service, org, envelope_id, landlord.email);
    expect((await fresh.save({ values: [] })).json.details[0].code).toBe("not_your_turn");
  });

  test("with two tabs, the last write of each field wins", async () => {
    const { one } = await newSigningSession();
    await Promise.all([one.fill({ Name: "Ann" }), one.fill({ Rent: "1200" }), one.fill({ Floor: "first" })]);
    expect([(await named(one, "Name")).value, (await named(one, "Rent")).value, (await named(one, "Floor")).value]).toEqual([
      "Ann",
      "1200",
      "first",
    ]);
    expect((await one.open()).json.data.revision).toBe(3);
  });
});

describe("a signature", () => {
  test("is adopted once and applied with a click in each place; a new one is not applied anywhere yet", async () => {
    const { one } = await newSigningSession();
    const early = await one.fill({ Sign: true });
    expect([early.status, early.json.details[0].code]).toEqual([422, "adopt_first"]);
    await one.save({ adopt: { signature: typedMark("Ann Example") } });
    expect((await one.fill({ Init: true })).json.details[0].code, "initials are a separate mark").toBe("adopt_first");
    await one.fill({ Sign: true });
    expect((await named(one, "Sign")).value).toBe(true);
    expect((await one.open()).json.data.signature).toEqual(typedMark("Ann Example"));
    await one.save({ adopt: { signature: typedMark("Ann Example") } });
    expect((await named(one, "Sign")).value, "saving the same again changes nothing").toBe(true);
    await one.save({ adopt: { signature: typedMark("A. Example") } });
    expect((await named(one, "Sign")).value).toBe(false);
  });

  test("can be drawn, typed or uploaded, and is returned unchanged", async () => {
    const { one } = await newSigningSession();
    const drawn = {
      kind: "drawn",
      w: 300,
      h: 100,
      strokes: [
        [
          [10, 10, 0],
          [50.5, 40, 16],
          [90, 20, 32],
        ],
      ],
    };
    const uploaded = { kind: "uploaded", png: png({ width: 4, height: 2 }).toString("base64") };
    for (const mark of [drawn, typedMark("Анна"), uploaded]) {
      expect((await one.save({ adopt: { signature: mark } })).status).toBe(200);
      expect((await one.open()).json.data.signature).toEqual(mark);
    }
  });

  test("that was uploaded keeps only its visible content", async () => {
    const { one } = await newSigningSession();
    const secret = "taken at home, 1 Example Street";
    const withText = png({ width: 4, height: 2, text: secret });
    expect(withText.includes(secret)).toBe(true);
    await one.save({ adopt: { signature: { kind: "uploaded", png: withText.toString("base64") } } });
    const kept = Buffer.from((await one.open()).json.data.signature.png, "base64");
    expect(kept.equals(png({ width: 4, height: 2 }))).toBe(true);
  });

  const huge = () => png({ width: 380, height: 380, noise: true });
  test.each([
    ["no PNG", () => ({ kind: "uploaded", png: Buffer.from("%PDF-1.7").toString("base64") }), "adopt.signature.png"],
    [
      "a broken PNG",
      () => ({ kind: "uploaded", png: png({ width: 4, height: 2 }).subarray(0, 40).toString("base64") }),
      "adopt.signature.png",
    ],
    ["a PNG over 512 KB", () => ({ kind: "uploaded", png: huge().toString("base64") }), "adopt.signature.png"],
    ["no base64", () => ({ kind: "uploaded", png: "?" }), "adopt.signature.png"],
    ["no stroke", () => ({ kind: "drawn", w: 300, h: 100, strokes: [[]] }), "adopt.signature.strokes"],
    [
      "4,001 points",
      () => ({ kind: "drawn", w: 300, h: 100, strokes: [Array.from({ length: 4_001 }, (_, x) => [x % 300, 5, x])] }),
      "adopt.signature.strokes",
    ],
    ["blanks", () => typedMark("   "), "adopt.signature.text"],
    ["typed in characters that no font has", () => typedMark("রহিম"), "adopt.signature.text"],
    [
      "a transparent PNG",
      () => ({ kind: "uploaded", png: png({ width: 40, height: 20, grey: 0, alpha: 0 }).toString("base64") }),
      "adopt.signature.png",
    ],
    [
      "a white PNG",
      () => ({ kind: "uploaded", png: png({ width: 40, height: 20, grey: 255, alpha: 255 }).toString("base64") }),
      "adopt.signature.png",
    ],
    [
      "a PNG of more than 2 megapixels",
      () => ({ kind: "uploaded", png: png({ width: 2_000, height: 1_100 }).toString("base64") }),
      "adopt.signature.png",
    ],
    ["an unknown face", () => ({ kind: "typed", text: "Ann", font: "comic" }), "adopt.signature.font"],
  ])("that is %s is 422 and not adopted", async (_what, make, field) => {
    const { one } = await newSigningSession();
    const { status, json } = await one.save({ adopt: { signature: make() } });
    expect([status, json.details.map((detail: { field: string }) => detail.field)]).toEqual([
      422,
      expect.arrayContaining([expect.stringContaining(field.split(".").slice(0, 2).join("."))]),
    ]);
    expect((await one.open()).json.data.signature).toBe(null);
  });
});
