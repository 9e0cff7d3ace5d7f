import type { Locale } from "../parts/languages.ts";

export const colourNames = ["accent", "accent_text", "background", "surface", "text", "border"] as const;
export type ColourName = (typeof colourNames)[number];

export type Branding = { readonly [C in ColourName]?: string } & {
  readonly radius?: string;
  readonly font?: "system" | "serif" | "rounded";
  readonly scheme?: "light" | "dark" | "auto";
  /** a PNG in base64 */
  readonly logo?: string;
};

export interface OrgSettings {
  readonly name: string;
  readonly embed_origins: readonly string[];
  readonly min_retention_days: number;
  readonly default_custodian_user_id: string | null;
  readonly require_external_time: boolean;
  readonly require_mailed_link: boolean;
  readonly default_locale: Locale;
  readonly branding: Branding;
}

export interface Entry {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly hash: string;
}

export interface Person {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
}
