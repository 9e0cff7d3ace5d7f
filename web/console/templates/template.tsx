import { useEffect, useState } from "preact/hooks";
import { partOf } from "../../ui/part.tsx";
import { call, getIfChanged } from "../api.ts";
import { Link } from "../link.tsx";
import { navigate } from "../navigation.ts";
import { ApiCall, apiCalls } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { RowMenu } from "../parts/row-menu.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as bulk } from "../words/bulk/en.ts";
import { en } from "../words/repeat/en.ts";
import { en as own } from "../words/templates/en.ts";
import { justCreated } from "./just-created.ts";
import { NameDialog } from "./name-dialog.tsx";
import { PeopleCard, PeopleDialog } from "./people.tsx";
import type { LoadedTemplate } from "./save-template.ts";
import { UsageCard } from "./usage.tsx";

const words = en.templates;

/** The largest part of the console, so it is loaded only when a template is open. */
const builder = partOf(
  async () => (await import("../builder/builder.tsx")).Builder,
  () => location.reload(),
);

const above = (
  <p class="small">
    <Link to="/templates">{own.title}</Link>
  </p>
);

export function TemplateScreen({ params: { template_id = "" } }: ScreenProps) {
  const loaded = useLoad(template_id, () => getIfChanged("get_template", { params: { template_id } }, null));
  if (loaded.data === null) {
    return (
      <Screen title={own.one} above={above}>
        {loaded.isSlow && <Skeleton />}
        <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      </Screen>
    );
  }
  return <TemplateView loaded={loaded.data} onChanged={loaded.reload} />;
}

function TemplateView({ loaded, onChanged }: { loaded: LoadedTemplate; onChanged: () => Promise<void> }) {
  const { data: template } = loaded;
  const { template_id, name, external_id, archived_at, updated_at, roles, pages, tags } = template;
  const sending = useSending();
  const [asking, setAsking] = useState<"archive" | "name" | "people" | null>(null);
  const close = () => setAsking(null);
  const isArchived = archived_at !== null;
  const archive = async () => {
    await call("archive_template", { params: { template_id } });
    await onChanged();
  };
  const restore = async () => {
    await call("restore_template", { params: { template_id } });
    showToast(words.restored);
    await onChanged();
  };
  const copy = async () => {
    const made = await call("copy_template", { params: { template_id }, body: {} });
    navigate(`/templates/${made.template_id}`);
  };
  const saved = async () => {
    showToast(words.saved);
    await onChanged();
  };
  const items = [
    { words: words.rename, icon: "pencil" as const, onPress: () => setAsking("name") },
    { words: words.copy, icon: "copy" as const, onPress: () => void sending.run(copy) },
    { words: words.archive, icon: "cross" as const, danger: true, onPress: () => setAsking("archive") },
  ];
  const actions = isArchived ? (
    <ActionButton sending={sending} onAction={restore}>
      {words.restore}
    </ActionButton>
  ) : (
    <>
      <RowMenu label={en.actionsFor(name)} words={en.more} items={items} />
      <Link to={`/forms?new=${template_id}`} class="button">
        {own.publicLink}
      </Link>
      <Link to={`/templates/${template_id}/bulk`} class="button">
        {bulk.upload.button}
      </Link>
      <Link to={`/envelopes/new?template=${template_id}`} class="button primary">
        {own.use}
      </Link>
    </>
  );
  return (
    <Screen
      title={name}
      above={above}
      {...(may("envelopes:write") && { actions })}
      lead={
        <p class="template-ids">
          {isArchived && <Chip>{own.archived}</Chip>}
          <span>
            {own.pages(pages.length)} <When at={updated_at} />
          </span>
          {apiCalls.isOn.value && (
            <span>
              <code>{template_id}</code> <Copy text={template_id} what={own.id} />
            </span>
          )}
          {tags.map((tag) => (
            <span key={tag} class="envelope-tag">
              <span class="hidden-visually">{own.tag}</span>
              {tag}
            </span>
          ))}
          {external_id !== null && (
            <span>
              <code>{external_id}</code> <Copy text={external_id} what={own.externalIdCopied} />
            </span>
          )}
        </p>
      }
    >
      {isArchived && (
        <p class="notice" role="status">
          {own.archivedAt} <When at={archived_at} />
          {own.archivedHint}
        </p>
      )}
      <CreatedNotice template_id={template_id} />
      <ErrorNotice error={sending.error} />
      {!isArchived && (
        <RequirePermission needs="envelopes:write" to={own.toEdit}>
          {null}
        </RequirePermission>
      )}
      <builder.View
        key={String(isArchived)}
        of={{ kind: "template", id: template_id }}
        roles={roles}
        readOnly={isArchived || !may("envelopes:write")}
        onSaved={() => void onChanged()}
      />
      <PeopleCard template={template} onEdit={isArchived || !may("envelopes:write") ? null : () => setAsking("people")} />
      <UsageCard template_id={template_id} />
      {asking === "name" && <NameDialog loaded={loaded} onSaved={saved} onClose={close} />}
      {asking === "people" && <PeopleDialog loaded={loaded} onSaved={saved} onClose={close} />}
      <ApiCall operation="get_template" given={{ params: { template_id } }} />
      {asking === "archive" && (
        <Confirm title={own.archiveTitle} button={words.archive} kind="danger" onConfirm={archive} onClose={close}>
          <p>{words.archiveText(name)}</p>
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
  return (
    <div class="notice good stack tight" role="status">
      <p>{created.fields_added === 0 ? own.created.withoutTags : own.created.withTags(created.fields_added)}</p>
      {created.warnings?.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
    </div>
  );
}
