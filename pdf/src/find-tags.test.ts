import { createBudget } from "pako";
import { describe, expect, test } from "vitest";
import { composite, type3 } from "../fixtures/fonts.ts";
import { type OnePage, onePage, pages, text } from "../fixtures/pages.ts";
import { type Objects, stream, writePdf } from "../fixtures/writer.ts";
import { type FoundTags, findTags } from "./find-tags.ts";
import { openPdf } from "./open.ts";

const tagsOf = async (objects: Objects): Promise<FoundTags> => findTags(await openPdf(writePdf(objects), createBudget()));
const onPage = (content: string, odd: OnePage = {}): Promise<FoundTags> => tagsOf(onePage({ ...odd, content }));
const line = (content: string, odd: OnePage = {}) => onPage(`BT /F1 12 Tf 72 700 Td ${content} ET`, odd);

describe("a tag is found", () => {
  test.each([
    ["in one string", "(a {{Sig}} b) Tj"],
    ["split over strings and operators", "({) Tj ({S) Tj [(i) 20 (g)] TJ (}}) Tj"],
    ["with kerning between the braces", "[({) -300 ({) -200 (Sig) -250 (}) -300 (})] TJ"],
    ["wrapped between the braces", "({) Tj 0 -14 Td ({Sig}) Tj 0 -14 Td (}) Tj"],
    ["in two fonts", "({{S) Tj /F1 9 Tf (ig}}) Tj"],
    ["painted twice, as fake bold", "({{Sig}}) Tj 0.3 0 Td ({{Sig}}) Tj"],
    ["invisible", "3 Tr ({{Sig}}) Tj"],
    ["in a replacement text", "/Span <</ActualText ({{Sig}})>> BDC (______) Tj EMC"],
    ["in a replacement text that repeats it", "/Span <</ActualText (a {{Sig}})>> BDC (a {{Sig}}) Tj EMC"],
  ])("%s", async (_, content) => {
    const { fields, faults, spans } = await line(content);
    expect(faults).toEqual([]);
    expect(fields.map(({ name, type }) => [name, type])).toEqual([["Sig", "text"]]);
    expect(spans).toHaveLength(1);
  });

  const apart = (tag: string, by: number) => `[${[...tag].map((char) => `(${char})`).join(` ${-by} `)}] TJ`;

  test.each([
    ["by narrow gaps", apart("{{Full name;type=date}}", 300)],
    ["by wide gaps", apart("{{Full name;type=date}}", 700).replace("( )", "(  )")],
    ["by typed spaces", "({ { F u l l   n a m e ; t y p e = d a t e } }) Tj"],
  ])("with its letters spaced out %s", async (_, content) => {
    const { fields, faults } = await line(content);
    expect(faults).toEqual([]);
    expect(fields.map(({ name, type }) => [name, type])).toEqual([["Full name", "date"]]);
  });

  test("but not if only its braces are apart", async () => {
    expect((await line("({ {Name} } { {x}} {{y} }) Tj")).spans).toEqual([]);
  });

  const hebrew = { ...composite("/Identity-H", "/DW 500"), 5: composite("/Identity-H", "/DW 500")[20] ?? "" };
  const codes = (shown: string) => [...shown].map((char) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")).join("");
  const reversed = (shown: string) => [...shown].reverse().join("");
  const role = reversed("קונה");
  const name = reversed("שם מלא");

  test.each([
    ["with braces as they look", `{{${role}=type=date;role;${name}}}`],
    ["with braces as they were typed", `}}${role}=type=date;role;${name}{{`],
  ])("in right-to-left text, %s", async (_, painted) => {
    const { fields, faults, spans } = await line(`<${codes(`${painted} :${name}`)}> Tj`, { more: hebrew });
    expect(faults).toEqual([]);
    expect(fields.map((field) => [field.name, field.type, field.role])).toEqual([["שם מלא", "date", "קונה"]]);
    expect(spans[0]?.glyphs).toHaveLength(painted.length);
  });

  test("in a form, in a Type 3 font and in vertical writing", async () => {
    const form = stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 5 0 R >> >>", text("{{Sig}}"));
    expect((await onPage("/A Do", { resources: "/XObject << /A 10 0 R >>", more: { 10: form } })).fields).toHaveLength(1);
    expect((await line("({{Signature}}) Tj", { more: { ...type3(1), 5: type3(1)[30] ?? "" } })).fields).toMatchObject([
      { name: "Signature" },
    ]);
    const vertical = { ...composite("/Identity-V"), 5: composite("/Identity-V")[20] ?? "" };
    expect((await line("<007b007b0053007d007d> Tj", { more: vertical })).fields).toMatchObject([{ name: "S" }]);
  });

  test("drawn out of order, within its line", async () => {
    const content = "BT /F1 12 Tf 120 700 Td (g}}) Tj ET BT /F1 12 Tf 72 600 Td (x) Tj ET BT /F1 12 Tf 99.98 700 Td ({{Si) Tj ET";
    expect((await onPage(content)).fields).toMatchObject([{ name: "Sig" }]);
  });

  test("in a layer that is off, because hiding tags is common", async () => {
    const catalog = "/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>";
    const odd = { catalog, resources: "/Properties << /L 10 0 R >>", more: { 10: "<< /Type /OCG /Name (tags) >>" } };
    expect((await onPage(`/OC /L BDC ${text("{{Sig}}")} EMC`, odd)).fields).toHaveLength(1);
  });
});

test.each([
  ["unclosed", "({{Sig) Tj"],
  ["empty", "({{ }} {{;}}) Tj"],
  ["longer than 500 characters", `({{${"x".repeat(501)}}}) Tj`],
  ["with a space between its braces", "({ {Sig} }) Tj"],
])("braces that are %s are ordinary text", async (_, content) => {
  expect((await line(content)).spans).toEqual([]);
});

test("full-width braces are ordinary text", async () => {
  const more = { ...composite("/Identity-H"), 5: composite("/Identity-H")[20] ?? "" };
  expect((await line("<FF5BFF5B0053FF5DFF5D> Tj", { more })).spans).toEqual([]);
});

test("a tag never spans two pages", async () => {
  const objects = pages(2);
  expect((await tagsOf({ ...objects, 13: stream("", text("{{Si")), 15: stream("", text("g}}")) })).spans).toEqual([]);
});

describe("names and roles", () => {
  test("several tags with one name create a field each", async () => {
    const { fields } = await line("({{a;role=Buyer}} {{a;required=true}}) Tj");
    expect(fields.map(({ name, required, role, role_stated }) => [name, required, role, role_stated])).toEqual([
      ["a", false, "Buyer", true],
      ["a", true, "Buyer", false],
    ]);
  });

  test("tags without a name are numbered by type and never merged", async () => {
    const { fields } = await line("({{type=checkbox}} {{type=date}} {{type=checkbox}}) Tj");
    expect(fields.map(({ name }) => name)).toEqual(["Checkbox 1", "Date 1", "Checkbox 2"]);
  });

  test("a tag without a role gets the first stated role, or Signer", async () => {
    expect((await line("({{a}} {{b;role=Seller}}) Tj")).fields.map(({ role }) => role)).toEqual(["Seller", "Seller"]);
    expect((await line("({{a}}) Tj")).fields[0]?.role).toBe("Signer");
    expect((await line("({{a;role=B}} {{b;role=A}} {{c;role=B}}) Tj")).roles).toEqual(["B", "A"]);
  });

  test("is a fault if a default or an option cannot be drawn, and the fault names the characters", async () => {
    // U+0995, a Bengali letter, stated by ActualText.
    const { faults } = await line(
      "/Span << /ActualText <FEFF007B007B0061003B00640065006600610075006C0074003D0995007D007D> >> BDC (x) Tj EMC",
    );
    expect(faults.map(({ attribute, message }) => [attribute, message])).toEqual([
      ["default", 'Page 1, {{a;default=ক}}: "default" contains characters that cannot be drawn in the document: ক (U+0995)'],
    ]);
  });

  test("two roles that differ only in case or spacing are an error", async () => {
    const { faults } = await line("({{a;role=Buyer 1}} {{b;role=buyer1}}) Tj");
    expect(faults).toEqual([
      {
        code: "invalid_value",
        message: 'Page 1, {{b;role=buyer1}}: role "buyer1" differs from "Buyer 1" only in case or spacing',
        page: 1,
        tag: "{{b;role=buyer1}}",
        attribute: "role",
      },
    ]);
  });
});

describe("warnings", () => {
  const warned = async (content: string) => (await line(content)).warnings.map(({ code, tag }) => [code, tag]);

  test.each([
    ["at the end of the text", "({{Sig;role=Buyer) Tj", "{{Sig;role=Buyer"],
    ["with one closing brace", "({{Sig;type=signature} and more) Tj", "{{Sig;type=signature"],
    ["before the next tag", "({{Sig;role=Buyer {{Date}}) Tj", "{{Sig;role=Buyer"],
    ["across a line break, with kerning", "({) Tj ({Sig; ro) Tj 0 -14 Td [(l) -250 (e=Buyer)] TJ", "{{Sig; ro l e=Buyer"],
    ["without a name", "({{type=date) Tj", "{{type=date"],
    ["longer than the shown text", `({{Sig;role=${"x".repeat(60)}) Tj`, `{{Sig;role=${"x".repeat(29)}`],
  ])("an unclosed tag is text, with a warning: %s", async (_, content, tag) => {
    expect(await warned(content)).toEqual([["tag_unclosed", tag]]);
  });

  test.each([
    ["braces without an attribute", "({{Sig) Tj"],
    ["braces before a word that only looks like an attribute", "({{x; colour=red) Tj"],
    ["a tag that is closed", "({{Sig;role=Buyer}}) Tj"],
    ["braces separated by a space", "({ {Sig;role=Buyer) Tj"],
  ])("there is no warning for %s", async (_, content) => {
    expect(await warned(content)).toEqual([]);
  });

  test("a tag that is drawn out of order is closed", async () => {
    const content = "BT /F1 12 Tf 160 700 Td (Buyer}}) Tj ET BT /F1 12 Tf 72 600 Td (x) Tj ET BT /F1 12 Tf 104.66 700 Td ({{S;role=) Tj ET";
    const { fields, warnings } = await onPage(content);
    expect([fields.map(({ name }) => name), warnings]).toEqual([["S"], []]);
  });

  test("the warning names the page, and there are at most 20", async () => {
    const objects = pages(3);
    const { warnings } = await tagsOf({
      ...objects,
      17: stream("", Array.from({ length: 30 }, (_, n) => text("{{a;role=b", 72, 20 + 25 * n)).join(" ")),
    });
    expect(warnings).toEqual(Array(20).fill({ code: "tag_unclosed", page: 3, tag: "{{a;role=b", field: null }));
  });

  test("a choice with one option gives a warning", async () => {
    const content = "({{Floor;type=select;options=first;second}} {{Floor;type=select;options=first}} {{Pay;type=radio;options=a,b}}) Tj";
    expect(await warned(content)).toEqual([["single_option", "{{Floor;type=select;options=first}}"]]);
  });
});

test("an error names the page, the tag and the attribute; valid tags keep their fields", async () => {
  const objects = pages(3);
  const found = await tagsOf({ ...objects, 17: stream("", text("{{Sig;typ=signature}} {{ok}}")) });
  expect(found.faults.map(({ code, message }) => [code, message])).toEqual([
    [
      "unknown_field",
      'Page 3, {{Sig;typ=signature}}: unknown attribute "typ"; known: type, role, required, width, height, default, readonly, options',
    ],
  ]);
  expect(found.fields.map(({ name }) => name)).toEqual(["ok"]);
  expect(found.spans.map(({ field, bare }) => [field, bare])).toEqual([
    [null, false],
    [0, true],
  ]);
});

describe("areas", () => {
  const points = async (content: string, odd: OnePage = {}) => {
    const { area } = (await line(content, odd)).fields[0] ?? expect.fail("no field");
    return [area.x * 612, area.y * 792, area.w * 612, area.h * 792].map((value) => Math.round(value * 10) / 10);
  };
  // Helvetica 12: the line box is 8.6 above the baseline and 2.5 below.
  const top = 92 - 8.6;

  test("are the tag's own box by default", async () => {
    expect(await points("({{Name}}) Tj")).toEqual([72, top, 48, 11.1]);
  });

  test("are a square for a checkbox", async () => {
    expect(await points("({{type=checkbox}}) Tj")).toEqual([72, top, 11.1, 11.1]);
  });

  test("are at least 24 points high for a signature, growing upwards", async () => {
    const [, y, , h] = await points("({{Signature}}) Tj");
    expect([y, h]).toEqual([70.5, 24]);
  });

  test("use a stated size from the top left", async () => {
    expect(await points("({{Signature;width=200;height=50px}}) Tj")).toEqual([72, top, 200, 50]);
  });

  test("are the first line of a wrapped tag", async () => {
    expect(await points("({{Na) Tj 0 -14 Td (me}}) Tj")).toEqual([72, top, 23.4, 11.1]);
  });

  test("are clipped to the page", async () => {
    const { fields } = await onPage(`${text("{{Name;width=100}}", 560, 700)} ${text("{{Overlong name}}", 560, 600)}`);
    expect(fields.map(({ area, area_clipped }) => [Math.round((area.x + area.w) * 612), area_clipped])).toEqual([
      [612, true],
      [612, false],
    ]);
  });

  test("are measured in points of the displayed page, for any unit and rotation", async () => {
    const { fields } = await onPage(text("{{a;width=100;height=30}}", 100, 100), { page: "/UserUnit 2 /Rotate 90" });
    expect(fields[0]?.area.w).toBeCloseTo(100 / (792 * 2), 5);
    expect(fields[0]?.area.h).toBeCloseTo(30 / (612 * 2), 5);
  });

  test("do not exist for a tag completely off the page, which is an error", async () => {
    const { faults } = await onPage(text("{{a}}", 700, 100));
    expect(faults.map(({ message }) => message)).toEqual(["Page 1, {{a}}: the tag is outside the page"]);
  });
});

describe("annotations", () => {
  const note = (contents: string) => `<< /Type /Annot /Subtype /Text /Rect [100 500 300 540] /Contents ${contents} /AP << /N 11 0 R >> >>`;
  const appearance = stream(
    "/Type /XObject /Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F1 5 0 R >> >>",
    "BT /F1 10 Tf 5 5 Td ({{Sig;type=signature}}) Tj ET",
  );

  test("with a tag as text are tags, with the rectangle as area", async () => {
    const { fields, spans } = await onPage("", {
      page: "/Annots [10 0 R]",
      more: { 10: note("( {{Sig;type=signature}} )"), 11: appearance },
    });
    expect(fields).toMatchObject([{ name: "Sig", type: "signature" }]);
    const { area } = fields[0] ?? expect.fail("no field");
    expect([area.x * 612, area.y * 792, area.w * 612, area.h * 792].map(Math.round)).toEqual([100, 252, 200, 40]);
    expect(spans).toMatchObject([{ annotation: 0, glyphs: [] }]);
  });

  test("with any other appearance are read like the page", async () => {
    const { fields } = await onPage("", { page: "/Annots [10 0 R]", more: { 10: note("(a note)"), 11: appearance } });
    expect(fields).toMatchObject([{ name: "Sig", type: "signature" }]);
  });
});

test("more than 1,000 tags are rejected", async () => {
  const content = `BT /F1 1 Tf 1 TL 10 780 Td ${"({{a}}) ' ".repeat(1001)} ET`;
  await expect(onPage(content)).rejects.toThrow(/1,000 tags/);
});
