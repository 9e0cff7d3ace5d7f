import { Refusal } from "./refuse.ts";

export type Widget = "sign" | "vault";

/** An embed_url, taken apart. */
export interface Address {
  readonly origin: string;
  readonly path: string;
  readonly query: string;
  /** `#token=…`: browsers send it to no server. */
  readonly fragment: string;
  readonly envelope_id: string;
}

/** Throws a Refusal for what is no embed_url of this widget. `javascript:` and its like would run in the page of the host. */
export function readAddress(embed_url: unknown, widget: Widget): Address {
  if (typeof embed_url !== "string") throw new Refusal("this is no embed_url");
  const { protocol, origin, pathname, search, hash } = parseUrl(embed_url);
  if (protocol !== "https:" && protocol !== "http:") throw new Refusal("an embed_url begins with https");
  if (!/^#token=[^&]/.test(hash)) throw new Refusal("the embed_url has no #token=: take it from POST /embed/token as it is");
  const [, page, envelope_id = "", ...rest] = pathname.split("/");
  if (page !== widget || envelope_id === "" || rest.length > 0)
    throw new Refusal(`an embed_url for this element is /${widget}/ and the envelope's id`);
  return { origin, path: pathname, query: search, fragment: hash, envelope_id };
}

/** A renewal is a new token for the same page: anything else could be somebody else's page in the place of ours. */
export function refuseOtherPage(shown: Address, renewed: Address): void {
  if (!samePage(shown, renewed)) throw new Refusal("the renewed embed_url is of another origin or path");
}

export function samePage(one: Address, other: Address): boolean {
  return one.origin === other.origin && one.path === other.path;
}

/** `?lang=` of the locale, whatever language the embed_url named itself. */
export function withLocale(query: string, locale: string | null): string {
  if (!locale) return query;
  const named = new URLSearchParams(query);
  named.set("lang", locale);
  return `?${named}`;
}

/** Not by `URL.canParse`, which the oldest browsers that we serve do not have. */
export function parseUrl(text: string, base?: string): URL {
  try {
    return new URL(text, base);
  } catch (error) {
    throw new Refusal("this is no address", { cause: error });
  }
}

// 2 KB once it is encoded. The page reads no more.
const THEME_MAX_BYTES = 1536;

/** `&theme=…`, which the page reads before it paints anything; null when the text is no JSON object or too long. */
export function themeFragment(theme: string | null): string | null {
  if (!theme) return "";
  const bytes = new TextEncoder().encode(compactObject(theme) ?? "");
  if (bytes.length === 0 || bytes.length > THEME_MAX_BYTES) return null;
  const base64 = btoa(String.fromCharCode(...bytes));
  return `&theme=${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

function compactObject(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? JSON.stringify(value) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
