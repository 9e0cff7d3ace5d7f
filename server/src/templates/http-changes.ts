import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { changeTemplate, type TemplateChange } from "./change-template.ts";
import { copyTemplate } from "./copy-template.ts";
import { changeExample, wholeExample } from "./examples.ts";
import { presentTemplate } from "./present.ts";
import { restoreTemplate } from "./restore-template.ts";
import { ChangeBody, CopyBody, TemplateView } from "./shapes.ts";
import { findWholeTemplate } from "./store.ts";
import type { TemplateDeps } from "./template.ts";

/** Endpoints that change a template as a whole; those for its fields are in http.ts. */

const mayWrite = { anyScope: ["envelopes:write"] } as const;
const oneTemplate = { params: { template_id: "template" }, missing: "template_not_found" } as const;

export function changingTemplates(deps: TemplateDeps): Endpoint[] {
  return [
    endpoint({
      name: "update_template",
      summary: "Update a template",
      description:
        "Changes the name, people, defaults or tags of a template. Members that you leave out stay as they are; the others are replaced as a whole. `roles` says who acts in which step, and who that is if it is always the same person: `get_template` shows them as `recipients`. Envelopes that exist do not change.",
      resource: "Templates",
      sdk: "templates.update",
      method: "PATCH",
      path: "/partner/templates/:template_id",
      access: mayWrite,
      ...oneTemplate,
      body: ChangeBody,
      answer: [200, TemplateView],
      problems: ["template_archived", "unknown_roles", "too_many_tags"],
      ifMatch: true,
      examples: { request: changeExample, answer: wholeExample },
      run: async (caller, { params, body, unchanged }) => {
        const change = body as TemplateChange;
        return presentTemplate(await changeTemplate(deps, caller, params.template_id, change, (now) => unchanged(presentTemplate(now))));
      },
    }),
    endpoint({
      name: "copy_template",
      summary: "Copy a template",
      description:
        "Creates a template with the same document, fields, people, defaults and tags. The copy has no `external_id`. Changes of one do not affect the other.",
      resource: "Templates",
      sdk: "templates.copy",
      method: "POST",
      path: "/partner/templates/:template_id/copy",
      access: mayWrite,
      ...oneTemplate,
      body: CopyBody,
      answer: [201, TemplateView],
      problems: [
        "template_archived",
        "template_without_document",
        "provider_rejected",
        "provider_unreachable",
        "provider_not_configured",
        "template_not_saved",
      ],
      examples: { request: { name: "Lease for flats" }, answer: wholeExample },
      prepare: (caller, { params, body }) => copyTemplate.prepare(deps, caller, params.template_id, body.name),
      discard: (caller, prepared) => copyTemplate.discard(deps, caller, prepared),
      run: async (caller, _input, prepared) => {
        const { template_id } = (await copyTemplate.save(deps, caller, prepared)).template;
        return deps.db.tx(caller.org, async (tx) => presentTemplate(await findWholeTemplate(tx, caller.org, template_id)));
      },
    }),
    endpoint({
      name: "restore_template",
      summary: "Restore an archived template",
      description:
        "Puts an archived template back into the list, so that envelopes can be created from it. A template that is not archived stays as it is.",
      resource: "Templates",
      sdk: "templates.restore",
      method: "POST",
      path: "/partner/templates/:template_id/restore",
      access: mayWrite,
      ...oneTemplate,
      answer: [200, TemplateView],
      examples: { answer: wholeExample },
      run: async (caller, { params }) => presentTemplate(await restoreTemplate(deps, caller, params.template_id)),
    }),
  ];
}
