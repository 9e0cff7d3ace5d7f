import type { Template } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { partOf } from "../../ui/part.tsx";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { justCreated } from "./just-created.ts";

/** The largest part of the console, so it is loaded only when a template is open. */
const builder = partOf(
  async () => (await import("../builder/builder.tsx")).Builder,
  () => location.reload(),
);

const above = (
  <p class="small">
    <Link to="/templates">Templates</Link>
  </p>
);

export function TemplateScreen({ params: { template_id = "" } }: ScreenProps) {
  const loaded = useLoad(template_id, () => call("get_template", { params: { template_id } }));
  if (loaded.data === null) {
    return (
      <Screen title="Template" above={above}>
        {loaded.isSlow && <Skeleton />}
        <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      </Screen>
    );
  }
  return <TemplateView template={loaded.data} onChanged={loaded.reload} />;
}

function TemplateView({ template, onChanged }: { template: Template; onChanged: () => Promise<void> }) {
  const { template_id, name, external_id, archived_at, updated_at, roles, pages } = template;
  const [isAsking, setAsking] = useState(false);
  const isArchived = archived_at !== null;
  const archive = async () => {
    await call("archive_template", { params: { template_id } });
    await onChanged();
  };
  const actions = (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Archive
      </button>
      <Link to={`/envelopes/new?template=${template_id}`} class="button primary">
        Use template
      </Link>
    </>
  );
  return (
    <Screen
      title={name}
      above={above}
      {...(!isArchived && hasRole("member") && { actions })}
      lead={
        <p class="template-ids">
          {isArchived && <Chip tone="bad">Archived</Chip>}
          <span>
            {pages.length} {pages.length === 1 ? "page" : "pages"}, updated <When at={updated_at} />
          </span>
          <span>
            <code>{template_id}</code> <Copy text={template_id} what="the template ID" />
          </span>
          {external_id !== null && (
            <span>
              <code>{external_id}</code> <Copy text={external_id} what="the external ID" />
            </span>
          )}
        </p>
      }
    >
      {isArchived && (
        <p class="notice" role="status">
          Archived <When at={archived_at} />. It cannot be used for new envelopes. Existing envelopes are not affected.
        </p>
      )}
      <CreatedNotice template_id={template_id} />
      {!isArchived && (
        <RequireRole least="member" to="edit fields">
          {null}
        </RequireRole>
      )}
      <builder.View
        key={String(isArchived)}
        of={{ kind: "template", id: template_id }}
        roles={roles}
        readOnly={isArchived || !hasRole("member")}
        onSaved={() => void onChanged()}
      />
      <ApiCall operation="get_template" given={{ params: { template_id } }} />
      {isAsking && (
        <Confirm title="Archive template" button="Archive" kind="danger" onConfirm={archive} onClose={() => setAsking(false)}>
          <p>
            “{name}” is removed from the list and cannot be used for new envelopes. Existing envelopes are not affected. You cannot undo
            this.
          </p>
        </Confirm>
      )}
    </Screen>
  );
}

/** Confirms that the template was created, until the user leaves the screen. */
function CreatedNotice({ template_id }: { template_id: string }) {
  useEffect(
    () => () => {
      justCreated.value = null;
    },
    [],
  );
  const created = justCreated.value;
  if (created?.template_id !== template_id) return null;
  const found = created.fields_added === 1 ? "1 field" : `${created.fields_added} fields`;
  return (
    <div class="notice good stack tight" role="status">
      <p>
        {created.fields_added === 0
          ? "Template created. It has no tags. Place its fields below."
          : `Template created with ${found} from its tags.`}
      </p>
      {created.warnings?.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
    </div>
  );
}
