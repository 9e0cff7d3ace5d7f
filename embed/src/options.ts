import { objectIn, parseUrl } from "./address.ts";
import { EmbedError } from "./embed-error.ts";
import type { Renew } from "./renew.ts";

/** What the host chooses for the signing page. The page ignores words that it does not know. */

/** Parts of the signing page that a host can hide. */
export type HiddenPart = "header" | "decline" | "download";
/** Ways to create a signature that a host can allow. */
export type SignatureMethod = "draw" | "type" | "upload";

/** Values for the signer's fields by name; true ticks a box. */
export type Prefill = Readonly<Record<string, string | boolean>>;

/** Colours and shapes of the page. What is left out is as the branding of the organization has it. */
export interface Theme {
  readonly accent?: string;
  readonly "accent-text"?: string;
  readonly background?: string;
  readonly surface?: string;
  readonly text?: string;
  readonly border?: string;
  /** `0px` to `16px` */
  readonly radius?: string;
  readonly font?: "system" | "serif" | "rounded";
  readonly scheme?: "light" | "dark" | "auto";
}

/** The properties of <countersign-vault>. */
export interface VaultOptions {
  /** The embed_url from your backend. */
  readonly src?: string | null | undefined;
  /** Returns a new embed_url for the same page. Takes precedence over `renewUrl`. */
  readonly renew?: Renew | null | undefined;
  /** An address of your backend that returns `{"embed_url": …}`. */
  readonly renewUrl?: string | null | undefined;
  readonly locale?: string | null | undefined;
  /** An object, or its JSON. */
  readonly theme?: Theme | string | null | undefined;
  /** The title of the frame, for screen readers. */
  readonly label?: string | null | undefined;
  /** `auto`: as high as the content of the page, within the element's `min-height` and `max-height`. */
  readonly height?: "auto" | null | undefined;
}

/** The properties of <countersign-sign>. */
export interface SignOptions extends VaultOptions {
  /** A list, or its words separated by spaces. */
  readonly hide?: readonly HiddenPart[] | string | null | undefined;
  /** A list, or its words separated by spaces. All without it. */
  readonly methods?: readonly SignatureMethod[] | string | null | undefined;
  /** An object, or its JSON. */
  readonly prefill?: Prefill | string | null | undefined;
  /** Where your page goes after the person has signed. */
  readonly completedUrl?: string | null | undefined;
  /** Where your page goes after the document was declined. */
  readonly declinedUrl?: string | null | undefined;
}

// `src` is last: it loads the frame, which uses the others.
const attributesOfVault = {
  renewUrl: "renew-url",
  locale: "locale",
  theme: "theme",
  label: "label",
  height: "height",
  src: "src",
} as const satisfies Record<Exclude<keyof VaultOptions, "renew">, string>;

/** The attribute of each property. */
export const attributeOf = {
  hide: "hide",
  methods: "methods",
  prefill: "prefill",
  completedUrl: "completed-url",
  declinedUrl: "declined-url",
  ...attributesOfVault,
} as const satisfies Record<Exclude<keyof SignOptions, "renew">, string>;

/** Every property of <countersign-vault>, in the order in which a framework has to set them. */
export const vaultOptions = ["renew", ...Object.keys(attributesOfVault)] as readonly (keyof VaultOptions)[];
/** Every property of <countersign-sign>, in the order in which a framework has to set them. */
export const signOptions = ["renew", ...Object.keys(attributeOf)] as readonly (keyof SignOptions)[];

/** The text of an attribute: a list by its words, another object as JSON. */
export const attributeText = (value: string | object): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.join(" ") : JSON.stringify(value);

export interface PageOptions {
  readonly hide: readonly string[];
  readonly methods: readonly string[];
  readonly prefill: Prefill;
}

/** From the JSON of an attribute. Throws if it is not an object of texts and booleans. */
export function readPrefill(json: string | null): Prefill {
  if (!json) return {};
  const values = objectIn(json);
  const isAllowed = values !== null && Object.values(values).every((value) => typeof value === "string" || typeof value === "boolean");
  if (!isAllowed) throw new EmbedError("prefill must be a JSON object of field names with texts or booleans");
  return values as Prefill;
}

/** Words that are separated by spaces or commas. */
export const wordsIn = (list: string | null): string[] => (list ?? "").split(/[\s,]+/).filter((word) => word !== "");

/** An address for the host's own page to go to. Throws for anything but http and https: `javascript:` would run in the host page. */
export function readTarget(given: string, base: string): string {
  const { protocol, href } = parseUrl(given, base);
  if (protocol !== "https:" && protocol !== "http:") throw new EmbedError("completed-url and declined-url must be http or https addresses");
  return href;
}
