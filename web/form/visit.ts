import type { Locale } from "@countersign/client/types";
import { firstKnown } from "../i18n/locales.ts";
import { store, stored } from "../storage.ts";

/** What the service wrote into the page. */
export interface ShownForm {
  readonly name: string;
  readonly sender: string;
  readonly verify_email: boolean;
  readonly locale: Locale;
  /** colours, and the logo as base64 */
  readonly branding: Readonly<Record<string, unknown>>;
}

export const slug = location.pathname.split("/").at(-1) ?? "";

/** Null for a form that is not open. */
export const form =
  (JSON.parse(document.getElementById("boot")?.textContent ?? "null") as { readonly form: ShownForm | null } | null)?.form ?? null;

/** The organization's logo. The name beside it says whose it is. The content security policy does not allow `data:`. */
export const logo = imageOf(form?.branding.logo);

function imageOf(base64: unknown): string | null {
  if (typeof base64 !== "string") return null;
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
}

const CODE = `form code ${slug}`;

/** The code of the mailed link. It is removed from the address, and kept for reloads of this window. */
export function takeCode(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get("c");
  if (given !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    store(CODE, given);
  }
  return given ?? stored(CODE);
}

export const forgetCode = (): void => store(CODE, null);

/** The language of the link, else one of the browser's, else the organization's. */
export const firstLanguage = (): Locale =>
  firstKnown([new URLSearchParams(location.search).get("lang"), stored("lang"), ...navigator.languages, form?.locale]) ?? "en";

/** Also for the signing page, which opens in the same window. */
export const storeLanguage = (chosen: Locale): void => store("lang", chosen);
