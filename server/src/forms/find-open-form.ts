import { addressGroup } from "../http/address.ts";
import { takeQuota } from "../http/quota.ts";
import type { FormId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Slug } from "../shared/slugs.ts";
import { type FormDeps, notOpen } from "./form.ts";
import { lookUpSlug } from "./store.ts";

const HOUR_SECONDS = 3600;

/** The form of a slug. Counts the request first, whatever the slug, so that guessing slugs is limited too. */
export async function findOpenForm(
  { db, limits }: FormDeps,
  ip: string,
  slug: Slug,
): Promise<{ readonly org_id: OrgId; readonly form_id: FormId }> {
  const { quota, found } = await db.system(async (tx) => ({
    quota: await takeQuota(tx, `form-start:${addressGroup(ip)}`, limits.startsPerIpHour, HOUR_SECONDS),
    found: await lookUpSlug(tx, slug),
  }));
  if (!quota.accepted) {
    const retryAfterSeconds = Math.max(1, quota.reset - Math.floor(Date.now() / 1000));
    throw new Problem("rate_limited", "starts of forms", { quota, retryAfterSeconds });
  }
  if (found === null) throw notOpen("unknown");
  return found;
}
