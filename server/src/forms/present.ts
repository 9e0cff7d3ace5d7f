import { iso } from "../http/shapes.ts";
import { type Form, formAddress } from "./form.ts";

export const presentForm = (form: Form, embedUrl: string) => ({
  form_id: form.form_id,
  name: form.name,
  template_id: form.template_id,
  url: formAddress(embedUrl, form),
  state: form.state,
  settings: {
    visitor_role: form.settings.visitor_role,
    recipients: form.settings.recipients.map(({ kind, email, name, role, step, locale, message, delivery }) => ({
      kind,
      email,
      name,
      role: role ?? null,
      step: step ?? null,
      locale: locale ?? null,
      message: message ?? null,
      delivery: delivery ?? ("email" as const),
    })),
    verify_email: form.settings.verify_email,
    max_per_day: form.settings.max_per_day,
    max_total: form.settings.max_total,
    closes_at: form.settings.closes_at,
    success_text: form.settings.success_text,
  },
  opened: form.opened,
  completed: form.completed,
  created_at: iso(form.created_at),
  updated_at: iso(form.updated_at),
});
