import {
  type FrameEvents,
  type SignOptions,
  signEvents,
  signOptions,
  type VaultOptions,
  vaultEvents,
  vaultOptions,
} from "@countersign/embed";
import { expect, expectTypeOf, test } from "vitest";
import { h } from "vue";
import { renderToString } from "vue/server-renderer";
import { CountersignSign, type CountersignSignProps, CountersignVault, type CountersignVaultProps } from "./index.ts";

test("a server renders empty elements with the attributes of the host, and without an address that has a token", async () => {
  expect(globalThis.HTMLElement).toBeUndefined();
  const own = { src: "https://sign.example.com/sign/env_1#token=x", prefill: { Pet: true }, onReady: () => undefined };
  expect(await renderToString(h(CountersignSign, { ...own, class: "wide", style: { maxHeight: "600px" } }))).toBe(
    '<countersign-sign class="wide" style="max-height:600px;"></countersign-sign>',
  );
  expect(await renderToString(h(CountersignVault, { locale: "de" }))).toBe("<countersign-vault></countersign-vault>");
});

test("every option of the elements is a prop and every event is emitted, with its type", () => {
  expectTypeOf<Pick<CountersignSignProps, keyof SignOptions>>().toEqualTypeOf<SignOptions>();
  expectTypeOf<Pick<CountersignVaultProps, keyof VaultOptions>>().toEqualTypeOf<VaultOptions>();
  expectTypeOf<Exclude<`on${Capitalize<keyof FrameEvents>}`, keyof CountersignSignProps>>().toBeNever();
  expectTypeOf<Extract<"onCompleted" | "prefill", keyof CountersignVaultProps>>().toBeNever();
  expect(CountersignSign).toMatchObject({ props: signOptions, emits: signEvents });
  expect(CountersignVault).toMatchObject({ props: vaultOptions, emits: vaultEvents });
});
