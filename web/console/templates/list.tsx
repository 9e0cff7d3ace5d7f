import type { TemplateSummary } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Page } from "../../operation.ts";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Pager, pageOf, Skeleton } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { hasRole } from "../session.ts";
import { type Loadable, useLoad } from "../use-load.ts";
import { FirstPage } from "./first-page.tsx";
import { NewTemplate } from "./new-template.tsx";

export function Templates() {
  const page = pageOf();
  const [isNew, setNew] = useState(false);
  const wanted = { page, limit: 20 };
  const loaded = useLoad(`templates ${page}`, () => list("list_templates", { query: wanted }));
  const button = (
    <button type="button" class="button primary" onClick={() => setNew(true)}>
      New template
    </button>
  );
  return (
    <Screen
      title="Templates"
      lead="Reusable documents with their fields in place."
      {...(hasRole("member") && loaded.data?.meta.total !== 0 && { actions: button })}
    >
      <RequireRole least="member" to="create templates">
        {null}
      </RequireRole>
      <Cards loaded={loaded} action={hasRole("member") ? button : null} />
      {loaded.data !== null && loaded.data.meta.total > 0 && <ApiCall operation="list_templates" given={{ query: wanted }} />}
      {isNew && <NewTemplate onClose={() => setNew(false)} />}
    </Screen>
  );
}

function Cards({ loaded, action }: { loaded: Loadable<Page<TemplateSummary>>; action: ComponentChildren }) {
  const { data, error, isSlow, isLoading, reload } = loaded;
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (data === null) return isSlow ? <Skeleton /> : null;
  if (data.meta.total === 0) return <NoTemplates action={action} />;
  return (
    <>
      <ul class="template-cards" aria-busy={isLoading}>
        {data.data.map((template) => (
          <TemplateCard key={template.template_id} template={template} />
        ))}
      </ul>
      <Pager {...data.meta} name="page" />
    </>
  );
}

const counted = (count: number, one: string): string => `${count.toLocaleString()} ${one}${count === 1 ? "" : "s"}`;

function TemplateCard({ template }: { template: TemplateSummary }) {
  const { template_id, name, page_count, field_count, roles, updated_at } = template;
  return (
    <li class="template-card">
      <FirstPage template_id={template_id} />
      <div class="template-words">
        <h2>
          <Link to={`/templates/${template_id}`} class="row-link">
            {name}
          </Link>
        </h2>
        <p class="quiet small">
          {counted(page_count, "page")}, {counted(field_count, "field")}
        </p>
        <p class="small">{roles.length === 0 ? "No roles yet" : roles.join(", ")}</p>
        <p class="quiet small">
          Updated <When at={updated_at} />
        </p>
      </div>
    </li>
  );
}

const TAG = "{{Signature;type=signature;role=Buyer}}";

function NoTemplates({ action }: { action: ComponentChildren }) {
  return (
    <Empty
      title="No templates yet"
      action={action}
      curl={<ApiCall operation="create_template" form={["file=@contract.pdf", "name=Contract"]} open />}
    >
      A template is a PDF with fields for signatures, dates and text. Place the fields here, or write tags into the document before you
      create the PDF. The tag <code>{TAG}</code> becomes a signature field for the buyer and is removed from the page.
    </Empty>
  );
}
