import { fileURLToPath } from "node:url";
import { type SignOptions, signEvents, signOptions, vaultEvents, vaultOptions } from "@countersign/embed";
import { build, type Plugin, type Rolldown } from "vite";
import { afterAll } from "vitest";
import { casesInAll } from "../../testing/all.ts";
import { de } from "../i18n/de.ts";
import { en } from "../i18n/en.ts";
import { expect, keptPage, OFTEN, type Page, test } from "./browser.ts";
import { documentedReact, documentedVue } from "./documented.ts";
import { startHost } from "./host.ts";
import { adoptTyped, button, field, placeToSign, title } from "./person.ts";
import { buyer, testSigning } from "./signing.ts";

/** The components for React and Vue in the page of a partner on another site, with the code of docs/embedding.md. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const signing = await testSigning();
const host = await startHost(signing.embedUrl);
afterAll(() => host.close());
const partner = host.url("partner.localhost").slice(0, -1);

/** Every option, set and removed. A new option of the elements does not compile until it is here. */
const values = {
  src: null,
  renew: async () => "",
  renewUrl: "/new",
  locale: "de",
  theme: { accent: "#00553a" },
  label: "Lease",
  height: "auto",
  hide: ["header", "decline"],
  methods: ["draw"],
  prefill: { Pet: true },
  completedUrl: "/done",
  declinedUrl: "/declined",
} as const satisfies { readonly [K in keyof Required<SignOptions>]: SignOptions[K] };
const texts = {
  "renew-url": "/new",
  locale: "de",
  theme: '{"accent":"#00553a"}',
  label: "Lease",
  height: "auto",
  hide: "header decline",
  methods: "draw",
  prefill: '{"Pet":true}',
  "completed-url": "/done",
  "declined-url": "/declined",
};
const ofVault = ["renew-url", "locale", "theme", "label", "height"] as const satisfies readonly (keyof typeof texts)[];

// Each defines `show(locale)`, which renders the component of the documentation or, with null, nothing, and `showAll(tag, props)`, which
// renders one component with these props.
const REACT = `
import { createElement as h, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { CountersignSign, CountersignVault } from "@countersign/react";
import { Signing } from "virtual:documented.tsx";
const root = createRoot(document.getElementById("app"));
const component = { "countersign-sign": CountersignSign, "countersign-vault": CountersignVault };
window.show = (embedUrl, locale) => root.render(locale === null ? null : h(StrictMode, null, h(Signing, { embedUrl, locale })));
window.showAll = (tag, props) => root.render(h(component[tag], { ...props, className: "mine", id: "one", ref: (one) => (window.exposed = one) }));
`;
const VUE = `
import { createApp, h, shallowRef } from "vue";
import { CountersignSign, CountersignVault } from "@countersign/vue";
import Signing from "virtual:documented.ts";
const component = { "countersign-sign": CountersignSign, "countersign-vault": CountersignVault };
const shown = shallowRef(() => null);
createApp({ render: () => shown.value() }).mount("#app");
window.show = (embedUrl, locale) => (shown.value = () => (locale === null ? null : h(Signing, { embedUrl, locale })));
const expose = (one) => (window.exposed = one?.element ?? null);
window.showAll = (tag, props) => (shown.value = () => h(component[tag], { ...props, class: "mine", id: "one", ref: expose }));
`;

/** The script of an application, from the packages as they are built. */
async function bundled(folder: string, entry: string, documented: string): Promise<string> {
  const modules: Readonly<Record<string, string>> = { "virtual:entry.js": entry, "virtual:documented": documented };
  const virtual: Plugin = {
    name: "virtual",
    enforce: "pre",
    // With a path in the workspace, where the framework is found.
    resolveId: (id) => (id.startsWith("virtual:") ? `${root}${folder}/${id.replace("virtual:", "virtual-")}` : null),
    load: (id) => Object.entries(modules).find(([name]) => id.includes(name.replace("virtual:", "virtual-")))?.[1] ?? null,
  };
  const { output } = (await build({
    configFile: false,
    root: root + folder,
    logLevel: "error",
    plugins: [virtual],
    oxc: { jsx: { runtime: "automatic" } },
    define: { __VUE_OPTIONS_API__: "false", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
    build: { write: false, modulePreload: false, rolldownOptions: { input: "virtual:entry.js", output: { codeSplitting: false } } },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}

const attributesOf = (page: Page, tag: string) =>
  page.evaluate<Record<string, string>>(
    `Object.fromEntries([...document.querySelector("${tag}")?.attributes ?? []].map(({ name, value }) => [name, value]))`,
  );

/** Renders one component with every option, or none, and a handler for every event, which adds its name to `called`. */
async function showAll(page: Page, tag: string, options: readonly string[], events: readonly string[], isSet: boolean): Promise<void> {
  const { renew: _, ...plain } = values;
  const given = Object.fromEntries(Object.entries(isSet ? plain : {}).filter(([name]) => options.includes(name)));
  await page.evaluate(`{
    window.called = [];
    const handlerOf = (type) => "on" + type[0].toUpperCase() + type.slice(1);
    const handlers = ${JSON.stringify(events)}.map((type) => [handlerOf(type), (event) => called.push([type, event.type, event.detail])]);
    showAll(${JSON.stringify(tag)}, { ...${JSON.stringify(given)}, ${isSet ? "renew: async () => '/renewed'," : ""} ...Object.fromEntries(handlers) });
  }`);
}

const frameworks = [
  ["React", "embed-react", REACT, documentedReact],
  ["Vue", "embed-vue", VUE, documentedVue],
] as const;

test.each(casesInAll<(typeof frameworks)[number]>(frameworks))(
  "%s: the documented component signs; every option and every event of the elements has its prop",
  async (_name, folder, entry, documented) => {
    const [script, sent] = await Promise.all([
      bundled(folder, entry, documented()),
      signing.send({ settings: { embed_origins: [partner] } }),
    ]);
    await sent.agreed(buyer.email);
    const embed_url = await sent.embedUrl(buyer.email);
    host.show(embed_url, () => sent.embedUrl(buyer.email));
    host.run(script);
    const page = await keptPage({ origins: [...signing.origins, partner] });
    await page.goto(`${partner}/`);
    const show = (locale: string | null) => page.evaluate(`show(${JSON.stringify(embed_url)}, ${JSON.stringify(locale)})`);
    const frame = page.frameLocator("countersign-sign iframe");

    // Mounted, with options and an event.
    await show("en");
    await expect(title(frame, en.fieldsTitle)).toBeVisible();
    await expect(field(frame, "Full name")).toHaveValue("Ann Example");
    await expect(page.getByText("Full name", { exact: true })).toBeVisible();
    expect(await attributesOf(page, "countersign-sign")).toMatchObject({ hide: "download", methods: "type", height: "auto" });
    // A prop that changes.
    const inside = page.frames().find((one) => one.url().startsWith(signing.embedUrl));
    await inside?.evaluate("window.notReloaded = true");
    await show("de");
    await expect(title(frame, de.fieldsTitle)).toBeVisible();
    expect(await inside?.evaluate("window.notReloaded")).toBe(true);
    await show("en");
    await expect(title(frame, en.fieldsTitle)).toBeVisible();
    await placeToSign(frame, "Buyer signature").click();
    await adoptTyped(frame, "signature", "Ann Example");
    await title(frame, en.reviewTitle).waitFor();
    await button(frame, en.sign).click();
    await expect(page.getByText("Thank you for signing.")).toBeVisible();
    await expect(page.locator("countersign-sign")).toHaveCount(0);
    await show(null);

    for (const [tag, options, events, attributes] of [
      ["countersign-sign", signOptions, signEvents, Object.keys(texts)],
      ["countersign-vault", vaultOptions, vaultEvents, ofVault],
    ] as const) {
      const wanted = Object.fromEntries(Object.entries(texts).filter(([name]) => attributes.some((one) => one === name)));
      await showAll(page, tag, options, events, true);
      await expect.poll(() => attributesOf(page, tag), OFTEN).toEqual({ ...wanted, class: "mine", id: "one" });
      expect(await page.evaluate(`exposed === document.querySelector("${tag}") && exposed.renew()`)).toBe("/renewed");
      const fire = `for (const type of ${JSON.stringify(events)}) exposed.dispatchEvent(new CustomEvent(type, { detail: "of " + type }))`;
      expect(await page.evaluate(`{ ${fire}; called }`)).toEqual(events.map((type) => [type, type, `of ${type}`]));
      await showAll(page, tag, options, events, false);
      await expect.poll(() => attributesOf(page, tag), OFTEN).toEqual({ class: "mine", id: "one" });
      expect(await page.evaluate("exposed.renew")).toBeNull();
      // The handlers of the latest rendering are called, once.
      expect(await page.evaluate(`{ ${fire}; called.length }`)).toBe(events.length);
    }
  },
);
