import { type FrameEvents, type SignOptions, signOptions, type VaultOptions, vaultOptions } from "@countersign/embed";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, expectTypeOf, test } from "vitest";
import { CountersignSign, type CountersignSignProps, CountersignVault, type CountersignVaultProps } from "./index.ts";

test("a server renders empty elements with the attributes of the host, and without an address that has a token", () => {
  expect(globalThis.HTMLElement).toBeUndefined();
  const own = { src: "https://sign.example.com/sign/env_1#token=x", prefill: { Pet: true }, onReady: () => undefined };
  expect(renderToString(createElement(CountersignSign, { ...own, className: "wide", id: "one", style: { maxHeight: 600 } }))).toBe(
    '<countersign-sign id="one" style="max-height:600px" class="wide"></countersign-sign>',
  );
  expect(renderToString(createElement(CountersignVault, { locale: "de" }))).toBe("<countersign-vault></countersign-vault>");
});

test("every option and every event of the elements is a prop with its type", () => {
  expectTypeOf<Pick<CountersignSignProps, keyof SignOptions>>().toEqualTypeOf<SignOptions>();
  expectTypeOf<Pick<CountersignVaultProps, keyof VaultOptions>>().toEqualTypeOf<VaultOptions>();
  expectTypeOf<Exclude<`on${Capitalize<keyof FrameEvents>}`, keyof CountersignSignProps>>().toBeNever();
  expectTypeOf<CountersignSignProps["onProgress"]>().toEqualTypeOf<((event: FrameEvents["progress"]) => void) | undefined>();
  expectTypeOf<Extract<"onCompleted" | "prefill", keyof CountersignVaultProps>>().toBeNever();
  expect([signOptions.at(-1), vaultOptions.at(-1)], "the frame is loaded last, with all other options").toEqual(["src", "src"]);
});
