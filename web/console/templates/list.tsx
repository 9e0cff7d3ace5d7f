import type { TemplateSummary } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Page } from "../../operation.ts";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Pager, pageOf, Skeleton } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { hasRole } from "../session.ts";
import { type Loadable, useLoad } from "../use-load.ts";
import { en } from "../words/repeat/en.ts";
import { FirstPage } from "./first-page.tsx";
import { NewTemplate } from "./new-template.tsx";

const words = en.templates;

export function Templates() {
  const page = pageOf();
  const [isNew, setNew] = useState(false);
  const isArchived = query.value.get("archived") === "only";
  const tag = query.value.get("tag");
  const wanted = { page, limit: 20, tag, archived: isArchived ? ("only" as const) : null };
  const tags = useLoad("tags", () => call("list_tags"));
  const isFiltered = isArchived || (tag ?? "") !== "";
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_templates", { query: wanted }));
  const button = (
    <button type="button" class="button primary" onClick={() => setNew(true)}>
      New template
    </button>
  );
  return (
    <Screen
      title="Templates"
      lead="Reusable documents with their fields in place."
      {...(hasRole("member") && (isFiltered || loaded.data?.meta.total !== 0) && { actions: button })}
    >
      <RequireRole least="member" to="create templates">
        {null}
      </RequireRole>
      <TemplateFilters isArchived={isArchived} tags={(tags.data ?? []).map(({ name }) => name)} chosen={tag ?? ""} />
      <Cards
        loaded={loaded}
        empty={
          isFiltered ? (
            <NoMatches isArchived={isArchived && (tag ?? "") === ""} />
          ) : (
            <NoTemplates action={hasRole("member") ? button : null} />
          )
        }
      />
      {loaded.data !== null && loaded.data.meta.total > 0 && <ApiCall operation="list_templates" given={{ query: wanted }} />}
      {isNew && <NewTemplate onClose={() => setNew(false)} />}
    </Screen>
  );
}

function Cards({ loaded, empty }: { loaded: Loadable<Page<TemplateSummary>>; empty: ComponentChildren }) {
  const { data, error, isSlow, isLoading, reload } = loaded;
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (data === null) return isSlow ? <Skeleton /> : null;
  if (data.meta.total === 0) return <>{empty}</>;
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

interface TemplateFiltersProps {
  readonly isArchived: boolean;
  readonly tags: readonly string[];
  readonly chosen: string;
}

function TemplateFilters({ isArchived, tags, chosen }: TemplateFiltersProps) {
  const names = [...new Set([...tags, ...(chosen === "" ? [] : [chosen])])];
  return (
    <div class="filters">
      <SelectField
        label={words.state}
        name="archived"
        value={isArchived ? "only" : ""}
        choices={[
          ["", words.active],
          ["only", words.archived],
        ]}
        onChoice={(archived) => setQuery({ archived: archived || null })}
      />
      {names.length > 0 && (
        <SelectField
          label={words.tag}
          name="tag"
          value={chosen}
          choices={[["", words.anyTag], ...names.map((name) => [name, name] as const)]}
          onChoice={(tag) => setQuery({ tag: tag || null })}
        />
      )}
    </div>
  );
}

function NoMatches({ isArchived }: { isArchived: boolean }) {
  return (
    <Empty
      title={isArchived ? words.noneArchived : words.noMatch}
      action={
        <Link to="/templates" class="button">
          {words.showAll}
        </Link>
      }
    >
      {isArchived ? words.noneArchivedHint : words.noMatchHint}
    </Empty>
  );
}

const counted = (count: number, one: string): string => `${count.toLocaleString()} ${one}${count === 1 ? "" : "s"}`;

function TemplateCard({ template }: { template: TemplateSummary }) {
  const { template_id, name, page_count, field_count, roles, tags, updated_at } = template;
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
        {tags.length > 0 && (
          <p class="template-tags">
            {tags.map((tag) => (
              <span key={tag} class="envelope-tag">
                <span class="hidden-visually">Tag </span>
                {tag}
              </span>
            ))}
          </p>
        )}
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
