import type { Form } from "@countersign/client/types";
import { list } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { navigate, query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { TemplateFilter } from "../templates/template-filter.tsx";
import { useLoad } from "../use-load.ts";
import { en as w } from "../words/forms/en.ts";
import { justCreated } from "./just-created.ts";
import { NewFormDialog } from "./new-form.tsx";
import { FormStateChip } from "./state.tsx";

const columns: readonly Column<Form>[] = [
  { head: w.columns.name, cell: ({ name }) => name },
  { head: w.columns.state, cell: ({ state }) => <FormStateChip state={state} /> },
  { head: w.columns.opened, cell: ({ opened }) => formatNumber(opened), end: true },
  { head: w.columns.completed, cell: ({ completed }) => formatNumber(completed), end: true },
  { head: w.columns.created, cell: ({ created_at }) => <When at={created_at} />, minor: true },
];

/** The user chooses the template in the dialog. */
const CHOOSE = "1";

/** `?new=1` opens the dialog, and `?new=` with the id of a template opens it with that one. */
export function Forms() {
  const wanted = { page: pageOf(), limit: 20, template_id: query.value.get("template_id") };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_forms", { query: wanted }));
  const template = query.value.get("new");
  const creating = (
    <button type="button" class="button primary" onClick={() => setQuery({ new: CHOOSE })}>
      {w.create}
    </button>
  );
  const isEmpty = loaded.data?.meta.total === 0;
  return (
    <Screen title={w.title} lead={w.lead} {...(may("envelopes:write") && !isEmpty && { actions: creating })}>
      <RequirePermission needs="envelopes:write" to={w.mayCreate}>
        {null}
      </RequirePermission>
      <TemplateFilter />
      <PagedTable
        caption={w.listCaption}
        loaded={loaded}
        columns={columns}
        keyOf={({ form_id }) => form_id}
        to={({ form_id }) => `/forms/${form_id}`}
        empty={
          <Empty title={w.none} {...(may("envelopes:write") && { action: creating })}>
            {w.noneText}
          </Empty>
        }
      />
      <ApiCall operation="list_forms" given={{ query: wanted }} />
      {template !== null && may("envelopes:write") && (
        <NewFormDialog
          template_id={template === CHOOSE ? "" : template}
          onClose={() => setQuery({ new: null })}
          onCreated={({ form_id }) => {
            justCreated.value = form_id;
            navigate(`/forms/${form_id}`, { replace: true });
          }}
        />
      )}
    </Screen>
  );
}
