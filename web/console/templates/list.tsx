import type { TemplateSummary } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Page } from "../../operation.ts";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { cut, wholeOf } from "../parts/cut.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { Pager, pageOf } from "../parts/table.tsx";
import { TagFilter } from "../parts/tag-filter.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { type Loadable, useLoad } from "../use-load.ts";
import { en as repeat } from "../words/repeat/en.ts";
import { en as words } from "../words/templates/en.ts";
import { FirstPage } from "./first-page.tsx";
import { NewTemplate } from "./new-template.tsx";
import { type TemplateAction, TemplateMenu, useTemplateActions } from "./row-actions.tsx";

const filterWords = repeat.templates;

export function Templates() {
  const page = pageOf();
  const [isNew, setNew] = useState(false);
  const isArchived = query.value.get("archived") === "only";
  const tag = query.value.get("tag");
  const q = (query.value.get("q") ?? "").trim();
  const wanted = { page, limit: 20, q: q || null, tag, archived: isArchived ? ("only" as const) : null };
  const tags = useLoad("tags", () => call("list_tags"));
  const isNarrowed = q !== "" || (tag ?? "") !== "";
  const isFiltered = isArchived || isNarrowed;
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_templates", { query: wanted }));
  const { act, shown } = useTemplateActions(loaded.reload);
  const button = (
    <button type="button" class="button primary" onClick={() => setNew(true)}>
      {words.create}
    </button>
  );
  return (
    <Screen
      title={words.title}
      lead={words.lead}
      {...(may("envelopes:write") && (isFiltered || loaded.data?.meta.total !== 0) && { actions: button })}
    >
      <RequirePermission needs="envelopes:write" to={words.toCreate}>
        {null}
      </RequirePermission>
      <TemplateFilters isArchived={isArchived} tags={(tags.data ?? []).map(({ name }) => name)} chosen={tag ?? ""} />
      {shown}
      <Cards
        loaded={loaded}
        onAct={act}
        empty={
          isFiltered ? (
            <NoMatches isArchived={isArchived && !isNarrowed} />
          ) : (
            <NoTemplates action={may("envelopes:write") ? button : null} />
          )
        }
      />
      {loaded.data !== null && loaded.data.meta.total > 0 && <ApiCall operation="list_templates" given={{ query: wanted }} />}
      {isNew && <NewTemplate onClose={() => setNew(false)} />}
    </Screen>
  );
}

type OnAct = (template: TemplateSummary, act: TemplateAction) => void;

interface CardsProps {
  readonly loaded: Loadable<Page<TemplateSummary>>;
  readonly onAct: OnAct;
  readonly empty: ComponentChildren;
}

function Cards({ loaded, onAct, empty }: CardsProps) {
  const { data, error, isSlow, isLoading, reload } = loaded;
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (data === null) return isSlow ? <Skeleton /> : null;
  if (data.meta.total === 0) return <>{empty}</>;
  return (
    <>
      <ul class="template-cards" aria-busy={isLoading}>
        {data.data.map((template) => (
          <TemplateCard key={template.template_id} template={template} onAct={onAct} />
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
  return (
    <search class="filters">
      <Search />
      <SelectField
        label={filterWords.state}
        name="archived"
        value={isArchived ? "only" : ""}
        choices={[
          ["", filterWords.active],
          ["only", filterWords.archived],
        ]}
        onChoice={(archived) => setQuery({ archived: archived || null })}
      />
      <TagFilter tags={tags} chosen={chosen} onChoice={(tag) => setQuery({ tag: tag || null })} />
    </search>
  );
}

function Search() {
  const [text, type] = useSearchText();
  return (
    <div class="grow">
      <TextField
        label={words.search}
        name="q"
        type="search"
        autoComplete="off"
        maxLength={200}
        placeholder={words.searchHint}
        value={text}
        onText={type}
      />
    </div>
  );
}

function NoMatches({ isArchived }: { isArchived: boolean }) {
  return (
    <Empty
      title={isArchived ? filterWords.noneArchived : filterWords.noMatch}
      action={
        <Link to="/templates" class="button">
          {filterWords.showAll}
        </Link>
      }
    >
      {isArchived ? filterWords.noneArchivedHint : words.noMatchHint}
    </Empty>
  );
}

function TemplateCard({ template, onAct }: { template: TemplateSummary; onAct: OnAct }) {
  const { template_id, name, page_count, field_count, roles, tags, updated_at } = template;
  return (
    <li class="template-card">
      <FirstPage template_id={template_id} />
      <div class="template-words">
        <h2>
          <Link to={`/templates/${template_id}`} class="row-link" title={wholeOf(name)}>
            {cut(name)}
          </Link>
        </h2>
        <p class="quiet small">{words.extent(page_count, field_count)}</p>
        <p class="small">{roles.length === 0 ? words.noRoles : roles.join(", ")}</p>
        {tags.length > 0 && (
          <p class="template-tags">
            {tags.map((tag) => (
              <span key={tag} class="envelope-tag">
                <span class="hidden-visually">{words.tag}</span>
                {tag}
              </span>
            ))}
          </p>
        )}
        <p class="quiet small">
          {words.updated} <When at={updated_at} />
        </p>
      </div>
      <div class="template-menu">
        <TemplateMenu template={template} onAct={(act) => onAct(template, act)} />
      </div>
    </li>
  );
}

const TAG = "{{Signature;type=signature;role=Buyer}}";

function NoTemplates({ action }: { action: ComponentChildren }) {
  return (
    <Empty
      title={words.empty.title}
      action={action}
      curl={<ApiCall operation="create_template" form={["file=@contract.pdf", "name=Contract"]} open />}
    >
      {words.empty.before} <code>{TAG}</code> {words.empty.after}
    </Empty>
  );
}
