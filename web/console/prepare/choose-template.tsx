import type { TemplateSummary } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Skeleton } from "../parts/table.tsx";
import { useLoad } from "../use-load.ts";

interface ChooseTemplateProps {
  readonly chosen: string | null;
  readonly onChoose: (template: TemplateSummary) => void;
}

const SEARCHED = 100;
const SHOWN = 6;

export function ChooseTemplate({ chosen, onChoose }: ChooseTemplateProps) {
  const loaded = useLoad("", () => list("list_templates", { query: { limit: SEARCHED } }));
  const [text, setText] = useState("");
  const [page, setPage] = useState(1);
  const { data, error, isSlow, reload } = loaded;
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (data === null) return isSlow ? <Skeleton lines={3} /> : null;
  if (data.meta.total === 0) {
    return (
      <p class="quiet">
        No templates yet. Upload a file instead, or <Link to="/templates">create a template</Link> from a document that you send often.
      </p>
    );
  }
  const found = data.data.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const last = Math.max(1, Math.ceil(found.length / SHOWN));
  const at = Math.min(page, last);
  return (
    <div class="stack">
      {data.data.length > SHOWN && (
        <TextField
          label="Search templates"
          name="template_search"
          type="search"
          autoComplete="off"
          value={text}
          onText={(value) => {
            setText(value);
            setPage(1);
          }}
          {...(data.meta.total > SEARCHED && { hint: `Searches the newest ${SEARCHED} templates.` })}
        />
      )}
      <fieldset>
        <legend>Template</legend>
        <div class="prepare-picks">
          {found.slice((at - 1) * SHOWN, at * SHOWN).map((template) => (
            <TemplateChoice key={template.template_id} template={template} isChosen={template.template_id === chosen} onChoose={onChoose} />
          ))}
        </div>
      </fieldset>
      {found.length === 0 && <p role="status">No matching templates.</p>}
      {last > 1 && (
        <nav class="buttons" aria-label="Pages of templates">
          <button type="button" class="button" disabled={at <= 1} onClick={() => setPage(at - 1)}>
            Previous
          </button>
          <button type="button" class="button" disabled={at >= last} onClick={() => setPage(at + 1)}>
            Next
          </button>
        </nav>
      )}
    </div>
  );
}

interface TemplateChoiceProps {
  readonly template: TemplateSummary;
  readonly isChosen: boolean;
  readonly onChoose: (template: TemplateSummary) => void;
}

function TemplateChoice({ template, isChosen, onChoose }: TemplateChoiceProps) {
  const { name, page_count, field_count, roles } = template;
  const facts = [`${page_count} ${page_count === 1 ? "page" : "pages"}`, `${field_count} ${field_count === 1 ? "field" : "fields"}`];
  return (
    <label class="prepare-pick">
      <input type="radio" name="template_id" checked={isChosen} onChange={() => onChoose(template)} />
      <span>
        {name}
        <span class="hint">{[...facts, ...(roles.length > 0 ? [roles.join(", ")] : [])].join(" · ")}</span>
      </span>
    </label>
  );
}
