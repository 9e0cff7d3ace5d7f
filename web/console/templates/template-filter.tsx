import { call } from "../api.ts";
import { query, setQuery } from "../navigation.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/templates/en.ts";

/** Names the template to which a list is narrowed by its address, and removes it. */
export function TemplateFilter() {
  const template_id = query.value.get("template_id");
  return template_id === null || template_id === "" ? null : <Chosen key={template_id} template_id={template_id} />;
}

function Chosen({ template_id }: { template_id: string }) {
  const { data } = useLoad(template_id, () => call("get_template", { params: { template_id } }));
  const name = data?.name ?? template_id;
  return (
    <p class="envelope-filter-chip">
      <span>{en.usage.filter(name)}</span>
      <button
        type="button"
        class="button quiet"
        aria-label={en.usage.removeFilter(name)}
        onClick={() => setQuery({ template_id: null }, { replace: false })}
      >
        ×
      </button>
    </p>
  );
}
