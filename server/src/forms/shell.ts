import type { OpenedShell, Shell } from "../http/web-pages.ts";
import { isSlug } from "../shared/slugs.ts";
import { findShownForm } from "./find-shown-form.ts";
import type { FormDeps } from "./form.ts";
import { isFullToday, lookUpShown, lookUpSlug } from "./store.ts";

// Several people of one office can open a form at the same time. Starting it has a limit of its own.
const LIMIT = { subject: "form-page", requestsPerMinute: 120 };

/** The public page of a form. A form that is paused, full, closed or unknown gives the same bytes. */
export const formShell = (deps: Pick<FormDeps, "db" | "lookUpLogo">): Shell => ({
  path: "/f/:slug",
  site: "embed",
  page: "form/index.html",
  limit: LIMIT,
  open: (slug) => openForm(deps, slug),
});

async function openForm({ db, lookUpLogo }: Pick<FormDeps, "db" | "lookUpLogo">, slug: string): Promise<OpenedShell> {
  const found = isSlug(slug) ? await db.system((tx) => lookUpSlug(tx, slug)) : null;
  const form =
    found === null
      ? null
      : await db.tx(found.org_id, async (tx) => {
          const shown = await lookUpShown(tx, found.org_id, await findShownForm(tx, found.org_id, found.form_id));
          const isFull = shown === null || (await isFullToday(tx, found.org_id, found.form_id, shown.max_per_day));
          return isFull ? null : { ...shown, logo: await lookUpLogo(tx, found.org_id) };
        });
  const boot =
    form === null
      ? null
      : {
          name: form.name,
          sender: form.sender,
          verify_email: form.verify_email,
          locale: form.default_locale,
          branding: { ...form.branding, ...(form.logo !== null && { logo: Buffer.from(form.logo).toString("base64") }) },
        };
  return { framedBy: [], boot: { form: boot }, isMissing: form === null };
}
