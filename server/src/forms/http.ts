import { type Static, Type } from "typebox";
import { RecipientInputs } from "../envelopes/recipient-input.ts";
import { Alternative, type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { about, Email, idOf, Label, LocaleName, Name, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import type { TemplateId } from "../shared/ids.ts";
import { DeliveryShape, RecipientKindShape } from "../signing/shapes.ts";
import { changeForm, type FormChange } from "./change-form.ts";
import { confirmForm } from "./confirm-form.ts";
import { createForm, type WantedForm } from "./create-form.ts";
import * as examples from "./examples.ts";
import { findShownForm, withState } from "./find-shown-form.ts";
import { type Form, type FormDeps, formStates } from "./form.ts";
import { pauseForm } from "./pause-form.ts";
import { presentForm } from "./present.ts";
import { resumeForm } from "./resume-form.ts";
import { startForm } from "./start-form.ts";
import { listForms } from "./store.ts";

const MAX_ENVELOPES = 1_000_000;

// One type with two kinds of members instead of a union, so that a mistake is reported by its own rule.
const MaxTotal = Type.Unsafe<number | null>({
  ...Type.Integer({ minimum: 1, maximum: MAX_ENVELOPES }),
  type: ["integer", "null"],
  description: "The form closes after this number of envelopes; null: no limit",
});
const SuccessText = Type.Unsafe<string | null>({
  type: ["string", "null"],
  maxLength: 1_000,
  description: "Shown to the visitor after signing; null: only the standard words",
});
const limits = {
  verify_email: Type.Boolean({
    default: true,
    description:
      "true: visitors get a link by e-mail before anything is created. false: they sign at once, their address is not verified and gets no e-mail, and an unsigned envelope expires after 24 hours",
  }),
  max_per_day: Type.Integer({ minimum: 1, maximum: 10_000, default: 100, description: "Envelopes in any 24 hours" }),
  max_total: MaxTotal,
  success_text: SuccessText,
};
const ClosesAt = about(OptionalTimestamp, "From this time on, the form is closed; null: never");

const SettingsBody = named(
  "FormSettingsBody",
  Type.Partial(
    Type.Object({
      visitor_role: about(Label, "The role in which visitors sign. Default: the first role of the template that no other recipient has"),
      recipients: about(
        RecipientInputs,
        "The other people of every envelope. Visitors act first; with steps, visitors have step 1 and the others the steps you give",
      ),
      ...limits,
      closes_at: ClosesAt,
    }),
  ),
);
const FormBody = Type.Object({
  template_id: idOf("template"),
  name: Type.Optional(about(Name, "Shown on the form, and the name of its envelopes. Default: the template's name")),
  settings: Type.Optional(SettingsBody),
});
const FormView = named(
  "Form",
  Type.Object({
    form_id: idOf("form"),
    name: Type.String(),
    template_id: idOf("template"),
    url: Type.String({ description: "The address to publish" }),
    state: named(
      "FormState",
      Type.Enum([...formStates], {
        description:
          "closed: after `closes_at`, after `max_total` envelopes, or while the template is archived or has changed so that no envelope could be sent",
      }),
    ),
    settings: named(
      "FormSettings",
      Type.Object({
        visitor_role: Type.String(),
        recipients: Type.Array(
          named(
            "FormRecipient",
            Type.Object({
              kind: RecipientKindShape,
              email: Type.String(),
              name: Type.String(),
              role: nullable(Type.String()),
              step: nullable(Type.Integer()),
              locale: nullable(LocaleName),
              message: nullable(Type.String()),
              delivery: DeliveryShape,
            }),
          ),
        ),
        ...limits,
        closes_at: ClosesAt,
      }),
    ),
    opened: Type.Integer({ description: "Envelopes that visitors have started" }),
    completed: Type.Integer({ description: "Of these, the ones that everyone has finished" }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);

const StartBody = Type.Object({
  name: Name,
  email: Email,
  locale: Type.Optional(about(LocaleName, "The language of the e-mail and of the signing page. Default: the organization's")),
  website: Type.Optional(Type.String({ maxLength: 1_000, description: "Must be empty. People do not see this field" })),
});
const CopyView = named("FormCopy", Type.Object({ embed_url: Type.String({ description: "Opens the visitor's signing page" }) }));
const ConfirmBody = Type.Object({ code: Type.String({ maxLength: 100, description: "The part of the mailed link after `#c=`" }) });

const mayRead = { anyScope: ["envelopes:read"] } as const;
const mayWrite = { anyScope: ["envelopes:write"] } as const;
const oneForm = { params: { form_id: "form" }, missing: "form_not_found" } as const;
const onSlug = { access: "anyone", params: { slug: "slug" }, missing: "form_closed" } as const;

export function formEndpoints(deps: FormDeps): Endpoint[] {
  const shown = (form: Form) => presentForm(form, deps.embed.embedUrl);
  return [
    listing({
      name: "list_forms",
      summary: "List public forms",
      description: "Lists the public forms of your organization, newest first. Use `template_id` to list the forms of one template.",
      resource: "Forms",
      sdk: "forms.list",
      path: "/partner/forms",
      access: mayRead,
      query: Type.Object({ template_id: Type.Optional(idOf("template")) }),
      item: FormView,
      examples: { answer: examples.form },
      run: async (caller, { query, page, limit }, read) => {
        const template_id = query.template_id as TemplateId | undefined;
        const { items, total } = await listForms(read, caller.org, { template_id }, { page, limit });
        const forms: Form[] = [];
        for (const item of items) forms.push(await withState(read, caller.org, item));
        return { items: forms.map(shown), total };
      },
    }),
    endpoint({
      name: "create_form",
      summary: "Create a public form",
      description:
        "Creates a public page from a template. A visitor enters a name and an e-mail address, confirms the address with a link and signs. Each visitor gets an envelope of their own. A form never vaults envelopes automatically; store them with vault-in-signed.",
      resource: "Forms",
      sdk: "forms.create",
      method: "POST",
      path: "/partner/forms",
      access: mayWrite,
      body: FormBody,
      answer: [201, FormView],
      problems: ["template_not_found", "template_archived", "template_without_document", "unknown_roles"],
      examples: { request: examples.create, answer: examples.form },
      run: async (caller, { body }) => shown(await createForm(deps, caller, body as unknown as WantedForm)),
    }),
    reading({
      name: "get_form",
      summary: "Get a public form",
      description: "Returns a form with its address, its settings and its counts.",
      resource: "Forms",
      sdk: "forms.get",
      path: "/partner/forms/:form_id",
      access: mayRead,
      ...oneForm,
      answer: [200, FormView],
      examples: { answer: examples.form },
      run: async (caller, { params }, read) => shown(await findShownForm(read, caller.org, params.form_id)),
    }),
    endpoint({
      name: "update_form",
      summary: "Change a public form",
      description:
        "Changes the members that you send, also within `settings`; `recipients` is replaced as a whole. Envelopes that visitors have started stay as they are. The address of a form never changes.",
      resource: "Forms",
      sdk: "forms.update",
      method: "PATCH",
      path: "/partner/forms/:form_id",
      access: mayWrite,
      ...oneForm,
      body: Type.Partial(Type.Object({ name: Name, settings: SettingsBody })),
      answer: [200, FormView],
      problems: ["template_archived", "template_without_document", "unknown_roles"],
      ifMatch: true,
      examples: {
        request: examples.change,
        answer: { ...examples.form, settings: { ...examples.form.settings, ...examples.change.settings } },
      },
      run: async (caller, { params, body, unchanged }) =>
        shown(await changeForm(deps, caller, params.form_id, body as unknown as FormChange, (now) => unchanged(shown(now)))),
    }),
    endpoint({
      name: "pause_form",
      summary: "Pause a public form",
      description: "Visitors read that the form is not open. Envelopes that they have started can still be signed.",
      resource: "Forms",
      sdk: "forms.pause",
      method: "POST",
      path: "/partner/forms/:form_id/pause",
      access: mayWrite,
      ...oneForm,
      answer: [200, FormView],
      examples: { answer: { ...examples.form, state: "paused" } },
      run: async (caller, { params }) => shown(await pauseForm(deps, caller, params.form_id)),
    }),
    endpoint({
      name: "resume_form",
      summary: "Resume a public form",
      description: "Opens a paused form again. Returns 422 if the template has changed so that its envelopes could not be sent.",
      resource: "Forms",
      sdk: "forms.resume",
      method: "POST",
      path: "/partner/forms/:form_id/resume",
      access: mayWrite,
      ...oneForm,
      answer: [200, FormView],
      problems: ["template_archived", "template_without_document", "unknown_roles"],
      examples: { answer: examples.form },
      run: async (caller, { params }) => shown(await resumeForm(deps, caller, params.form_id)),
    }),
    endpoint({
      name: "start_form",
      summary: "Start a public form",
      method: "POST",
      path: "/forms/:slug/start",
      ...onSlug,
      body: StartBody,
      answer: [201, CopyView],
      alternative: [202, Type.Object({})],
      problems: ["form_address_taken", "document_unavailable"],
      run: async (visitor, { params, body }) => {
        const { name, email, locale, website = "" } = body as Static<typeof StartBody>;
        const { embed_url } = await startForm(deps, visitor, params.slug, {
          name,
          email,
          website,
          ...(locale !== undefined && { locale }),
        });
        return embed_url === null ? new Alternative({}, 202) : { embed_url };
      },
    }),
    endpoint({
      name: "confirm_form",
      summary: "Open a document with the code of a form's e-mail",
      method: "POST",
      path: "/forms/:slug/confirm",
      ...onSlug,
      body: ConfirmBody,
      answer: [200, CopyView],
      problems: ["invalid_code", "form_address_taken", "document_unavailable"],
      run: async (visitor, { params, body }) => ({ embed_url: await confirmForm(deps, visitor, params.slug, body.code) }),
    }),
  ];
}
