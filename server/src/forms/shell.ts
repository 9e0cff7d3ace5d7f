import type { OpenedShell, Shell } from "../http/web-pages.ts";
import { isSlug } from "../shared/slugs.ts";
import type { FormDeps } from "./form.ts";
import { isFullToday, lookUpShown, lookUpSlug } from "./store.ts";

// Several people of one office can open a form at the same time. Starting it has a limit of its own.
const LIMIT = { subject: "form-page", requestsPerMinute: 120 };

/** The public page of a form. A form that is paused, full, closed or unknown gives the same bytes. */
export const formShell = (deps: Pick<FormDeps, "db">): Shell => ({
  path: "/f/:slug",
  site: "embed",
  page: "form/index.html",
  limit: LIMIT,
  open: (slug) => openForm(deps, slug),
});

async function openForm({ db }: Pick<FormDeps, "db">, slug: string): Promise<OpenedShell> {
  const found = isSlug(slug) ? await db.system((tx) => lookUpSlug(tx, slug)) : null;
  const form =
    found === null
      ? null
      : await db.tx(found.org_id, async (tx) => {
          const shown = await lookUpShown(tx, found.org_id, found.form_id);
          const isFull = shown === null || (await isFullToday(tx, found.org_id, found.form_id, shown.max_per_day));
          return isFull ? null : shown;
        });
  const boot =
    form === null ? null : { name: form.name, sender: form.sender, verify_email: form.verify_email, locale: form.default_locale };
  return { framedBy: [], boot: { form: boot }, isMissing: form === null };
}
