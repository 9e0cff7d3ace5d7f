import { EmbedError } from "./embed-error.ts";

export type Widget = "sign" | "vault";

/** A parsed embed_url. */
export interface Address {
  readonly origin: string;
  readonly path: string;
  readonly query: string;
  /** `#token=…`; browsers do not send it to servers. */
  readonly fragment: string;
  readonly envelope_id: string;
}

/** Throws if this is not an embed_url of this widget. `javascript:` and similar URLs would run in the host page. */
export function readAddress(embed_url: unknown, widget: Widget): Address {
  if (typeof embed_url !== "string") throw new EmbedError("the embed_url must be a string");
  const { protocol, origin, pathname, search, hash } = parseUrl(embed_url);
  if (protocol !== "https:" && protocol !== "http:") throw new EmbedError("the embed_url must begin with https://");
  if (!/^#token=[^&]/.test(hash)) throw new EmbedError("the embed_url has no #token=. Use the embed_url from POST /embed/token unchanged");
  const [, page, envelope_id = "", ...rest] = pathname.split("/");
  if (page !== widget || envelope_id === "" || rest.length > 0)
    throw new EmbedError(`the path of the embed_url must be /${widget}/ and an envelope id`);
  return { origin, path: pathname, query: search, fragment: hash, envelope_id };
}

/** A renewal must be a new token for the same page. Any other address could show a foreign page in place of ours. */
export function requireSamePage(shown: Address, renewed: Address): void {
  if (!samePage(shown, renewed)) throw new EmbedError("the renewed embed_url has another origin or path");
}

export function samePage(one: Address, other: Address): boolean {
  return one.origin === other.origin && one.path === other.path;
}

/** Sets `?lang=` to the locale, which overrides the language of the embed_url. */
export function withLocale(query: string, locale: string | null): string {
  if (!locale) return query;
  const named = new URLSearchParams(query);
  named.set("lang", locale);
  return `?${named}`;
}

/** Without `URL.canParse`, which the oldest supported browsers do not have. */
export function parseUrl(text: string, base?: string): URL {
  try {
    return new URL(text, base);
  } catch (error) {
    throw new EmbedError("the address is not a valid URL", { cause: error });
  }
}

// 2 KB after encoding, the limit of the page.
const THEME_MAX_BYTES = 1536;

/** `&theme=…`, which the page reads before its first paint; null if the text is not a JSON object or too long. */
export function themeFragment(theme: string | null): string | null {
  if (!theme) return "";
  const bytes = new TextEncoder().encode(compactObject(theme) ?? "");
  if (bytes.length === 0 || bytes.length > THEME_MAX_BYTES) return null;
  const base64 = btoa(String.fromCharCode(...bytes));
  return `&theme=${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The theme as an object; null if the text is none. */
export function themeObject(theme: string | null): object | null {
  if (!theme) return {};
  return themeFragment(theme) === null ? null : objectIn(theme);
}

function compactObject(text: string): string | null {
  const value = objectIn(text);
  return value === null ? null : JSON.stringify(value);
}

/** null if the text is not a JSON object. */
export function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
