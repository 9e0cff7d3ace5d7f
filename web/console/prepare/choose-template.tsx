import type { TemplateSummary } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/new-envelope/en.ts";

const words = en.templates;

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
        {words.noneYet((text) => (
          <Link to="/templates">{text}</Link>
        ))}
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
          label={words.search}
          name="template_search"
          type="search"
          autoComplete="off"
          value={text}
          onText={(value) => {
            setText(value);
            setPage(1);
          }}
          {...(data.meta.total > SEARCHED && { hint: words.searched(SEARCHED) })}
        />
      )}
      <fieldset>
        <legend>{words.one}</legend>
        <div class="prepare-picks">
          {found.slice((at - 1) * SHOWN, at * SHOWN).map((template) => (
            <TemplateChoice key={template.template_id} template={template} isChosen={template.template_id === chosen} onChoose={onChoose} />
          ))}
        </div>
      </fieldset>
      {found.length === 0 && <p role="status">{words.none}</p>}
      {last > 1 && (
        <nav class="buttons" aria-label={words.pages}>
          <button type="button" class="button" disabled={at <= 1} onClick={() => setPage(at - 1)}>
            {words.previous}
          </button>
          <button type="button" class="button" disabled={at >= last} onClick={() => setPage(at + 1)}>
            {words.next}
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
  const facts = [words.pageCount(page_count), words.fieldCount(field_count)];
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
