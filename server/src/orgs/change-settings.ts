import { canonicalize, type Json } from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import type { Member } from "../shared/caller.ts";
import { isLoopback } from "../shared/loopback.ts";
import { invalidField } from "../shared/problems.ts";
import { refuseUnknownZone } from "../shared/refuse-unknown-zone.ts";
import { sha256 } from "../shared/secrets.ts";
import type { Branding, OrgDeps, Settings, SettingsDeps } from "./org.ts";
import { findSettings, hasMember, lockSettings, type SettingsRow, updateSettings } from "./store.ts";

export type SettingsChange = { readonly [K in keyof (Settings & { name: string })]?: (Settings & { name: string })[K] | undefined };

/** The checks that need no database. The PDF engine reads the logo. */
export async function prepareSettings(deps: SettingsDeps, admin: Member, change: SettingsChange): Promise<SettingsChange> {
  refuseBadOrigins(change.embed_origins ?? [], deps.localMode);
  if (change.time_zone !== undefined) refuseUnknownZone("time_zone", change.time_zone);
  const { branding } = change;
  if (branding?.logo === undefined) return change;
  return { ...change, branding: { ...branding, logo: await cleanLogo(deps, admin, branding.logo) } };
}

/** Changes the settings that are given and keeps the others. The audit entry has the values before and after. */
export async function changeSettings(
  deps: OrgDeps,
  admin: Member,
  change: SettingsChange,
  unchanged: (now: SettingsRow) => void,
): Promise<SettingsRow> {
  return deps.db.tx(admin.org, async (tx) => {
    const before = await lockSettings(tx, admin.org);
    const custodian = change.default_custodian_user_id ?? null;
    if (custodian !== null && !(await hasMember(tx, admin.org, custodian))) {
      throw invalidField("default_custodian_user_id", "not_found", "is not a member of this organization");
    }
    unchanged(before);
    const changed = Object.entries(change).filter(
      ([name, value]) => value !== undefined && !same(value, before[name as keyof SettingsChange]),
    );
    if (changed.length === 0) return before;
    await updateSettings(tx, admin.org, { ...before, ...Object.fromEntries(changed) });
    const data = Object.fromEntries(
      changed.map(([name, to]) => [name, { from: auditValue(name, before[name as keyof SettingsChange]), to: auditValue(name, to) }]),
    );
    await appendAudit(tx, admin.org, { type: "settings.changed", by: admin, data: { changes: data } });
    return findSettings(tx, admin.org);
  });
}

/** A value as the audit entry has it. The logo is replaced by its hash. */
function auditValue(name: string, value: unknown): Json {
  if (name !== "branding") return value as Json;
  const { logo, ...looks } = value as Branding;
  return { ...looks, ...(logo !== undefined && { logo_sha256: sha256(Buffer.from(logo, "base64")).toString("hex") }) };
}

// The logo is part of the first response of every signing page, so it must be small.
const MAX_LOGO_BYTES = 100 * 1024;
// The largest size at which a page shows it on a high-resolution screen.
const MAX_LOGO = { width: 1000, height: 400 };

async function cleanLogo(deps: SettingsDeps, { org }: Member, base64: string): Promise<string> {
  const png = Buffer.from(base64, "base64");
  const refused = (code: "too_big" | "invalid_value", message: string) => invalidField("branding.logo", code, message);
  if (png.length > MAX_LOGO_BYTES) throw refused("too_big", "must have at most 100 KB");
  // Reads the size from the header, before anything is decompressed. Files that are not PNGs are rejected below.
  const [width, height] = png.length < 24 ? [0, 0] : [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (isPng(png) && (width > MAX_LOGO.width || height > MAX_LOGO.height)) throw refused("too_big", "must have at most 1000 × 400 pixels");
  const cleaned = await deps.cleanPng(org, png);
  if (cleaned === null) throw refused("invalid_value", "must be a readable PNG");
  if (cleaned.length > MAX_LOGO_BYTES) throw refused("too_big", "must have at most 100 KB after the service has rewritten it");
  return Buffer.from(cleaned).toString("base64");
}

const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"));

/** Compares by value, because the database does not keep the order of an object's members. */
function same(a: unknown, b: unknown): boolean {
  return canonicalize(a) === canonicalize(b);
}

/** Exact origins only, `https://host[:port]`. The same list decides who can frame the pages and with whom they exchange messages. */
function refuseBadOrigins(origins: readonly string[], localMode: boolean): void {
  for (const [index, origin] of origins.entries()) {
    if (!isExactOrigin(origin, localMode)) {
      throw invalidField(
        `embed_origins[${index}]`,
        "invalid_format",
        "must be an exact origin such as https://app.example.com, without path or wildcard",
      );
    }
  }
}

function isExactOrigin(text: string, localMode: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  // Letters, digits, dots and hyphens, or an IPv6 address. Other characters could break out of the header that contains the list.
  if (url.origin !== text || !/^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname) && localMode);
}
