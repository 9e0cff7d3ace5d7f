import { describe, expect, test } from "vitest";
import { readAddress, requireSamePage, samePage, themeFragment, withLocale } from "./address.ts";
import { EmbedError } from "./embed-error.ts";

const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const embed_url = `https://sign.example.com/sign/${envelope_id}#token=eyJ.eyJ.x`;

describe("an embed_url", () => {
  test("is parsed", () => {
    expect(readAddress(embed_url.replace("#", "?lang=de#"), "sign")).toEqual({
      origin: "https://sign.example.com",
      path: `/sign/${envelope_id}`,
      query: "?lang=de",
      fragment: "#token=eyJ.eyJ.x",
      envelope_id,
    });
    expect(readAddress(`http://127.0.0.1:3000/vault/${envelope_id}#token=x`, "vault").origin).toBe("http://127.0.0.1:3000");
  });

  test.each([
    ["without a token", embed_url.split("#")[0]],
    ["with an empty token", embed_url.replace("eyJ.eyJ.x", "")],
    ["with a token in the query", embed_url.replace("#", "?")],
    ["of the other widget", embed_url.replace("/sign/", "/vault/")],
    ["of a signing link", embed_url.replace("/sign/", "/s/")],
    ["without an envelope", `https://sign.example.com/sign/#token=x`],
    ["with a longer path", embed_url.replace("#", "/pages#")],
    ["that is a script", `javascript:alert(1)//sign/${envelope_id}#token=x`],
    ["that is data", `data:text/html,/sign/${envelope_id}#token=x`],
    ["of a file", `file:///sign/${envelope_id}#token=x`],
    ["that is relative", `/sign/${envelope_id}#token=x`],
    ["that is empty", ""],
    ["that is not a string", { embed_url }],
    ["that is absent", undefined],
  ])("%s is rejected", (_what, given) => {
    expect(() => readAddress(given, "sign")).toThrow(EmbedError);
  });

  test("is not repeated in the error message, which may be logged", () => {
    for (const odd of [embed_url.replace("/sign/", "/vault/"), `nonsense#token=eyJ.eyJ.x`]) {
      expect(() => readAddress(odd, "sign")).toThrow(expect.objectContaining({ message: expect.not.stringContaining("eyJ") }));
    }
  });
});

describe("a renewed embed_url", () => {
  const shown = readAddress(embed_url, "sign");
  const renewed = (change: (url: string) => string) => readAddress(change(embed_url), "sign");

  test("may differ in its token and its query", () => {
    const fresh = renewed((url) => url.replace("#token=eyJ.eyJ.x", "?lang=fr#token=other"));
    expect(samePage(shown, fresh)).toBe(true);
    expect(() => requireSamePage(shown, fresh)).not.toThrow();
  });

  test.each([
    ["host", (url: string) => url.replace("sign.example.com", "sign.example.net")],
    ["scheme", (url: string) => url.replace("https", "http")],
    ["port", (url: string) => url.replace(".com", ".com:8443")],
    ["envelope", (url: string) => url.replace("41#", "42#")],
  ])("with another %s is rejected", (_what, change) => {
    expect(() => requireSamePage(shown, renewed(change))).toThrow("the renewed embed_url has another origin or path");
  });
});

test.each([
  ["", null, ""],
  ["", "", ""],
  ["?lang=de", null, "?lang=de"],
  ["", "de", "?lang=de"],
  ["?lang=de", "fr", "?lang=fr"],
  ["?a=1", "pt-BR", "?a=1&lang=pt-BR"],
  ["", "de&token=x#y", "?lang=de%26token%3Dx%23y"],
])("the query %j with the locale %j is %j", (query, locale, expected) => {
  expect(withLocale(query, locale)).toBe(expected);
});

describe("a theme", () => {
  function decoded(fragment: string | null): unknown {
    const base64 = fragment?.replace("&theme=", "").replaceAll("-", "+").replaceAll("_", "/") ?? "";
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))));
  }

  test("is encoded into the fragment as base64url, with any characters", () => {
    const fragment = themeFragment(' { "accent": "#0b5fff", "font": "ü~~~???>>>" } ');
    expect(fragment).toMatch(/^&theme=[A-Za-z0-9_-]+$/);
    expect(decoded(fragment)).toEqual({ accent: "#0b5fff", font: "ü~~~???>>>" });
  });

  test("that is absent adds nothing", () => {
    expect([themeFragment(null), themeFragment("")]).toEqual(["", ""]);
  });

  test.each(["accent: red", "[]", "null", '"red"', "{", JSON.stringify({ accent: "x".repeat(1525) })])("%.20s is ignored", (text) => {
    expect(themeFragment(text)).toBeNull();
  });

  test("has at most 2 KB after encoding", () => {
    expect(themeFragment(JSON.stringify({ accent: "x".repeat(1523) }))).toHaveLength("&theme=".length + 2048);
  });
});
