import type { TemplateSummary } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, getIfChanged } from "../api.ts";
import { navigate } from "../navigation.ts";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { type MenuItem, RowMenu } from "../parts/row-menu.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { en as bulk } from "../words/bulk/en.ts";
import { en } from "../words/repeat/en.ts";
import { en as words } from "../words/templates/en.ts";
import { NameDialog } from "./name-dialog.tsx";
import type { LoadedTemplate } from "./save-template.ts";

export type TemplateAction = "rename" | "copy" | "archive" | "restore";

interface TemplateMenuProps {
  readonly template: TemplateSummary;
  readonly onAct: (act: TemplateAction) => void;
}

/** The menu of a template in the list. */
export function TemplateMenu({ template: { template_id, name, archived_at }, onAct }: TemplateMenuProps) {
  const open: MenuItem = { words: words.open, icon: "eye", onPress: () => navigate(`/templates/${template_id}`) };
  const items: readonly MenuItem[] = !may("envelopes:write")
    ? [open]
    : archived_at !== null
      ? [open, { words: en.templates.restore, icon: "template", onPress: () => onAct("restore") }]
      : [
          open,
          { words: words.use, icon: "send", onPress: () => navigate(`/envelopes/new?template=${template_id}`) },
          { words: bulk.upload.button, icon: "people", onPress: () => navigate(`/templates/${template_id}/bulk`) },
          { words: words.publicLink, icon: "globe", onPress: () => navigate(`/forms?new=${template_id}`) },
          { words: en.templates.rename, icon: "pencil", onPress: () => onAct("rename") },
          { words: en.templates.copy, icon: "copy", onPress: () => onAct("copy") },
          { words: en.templates.archive, icon: "cross", danger: true, onPress: () => onAct("archive") },
        ];
  return <RowMenu label={en.actionsFor(name)} items={items} />;
}

/** What the menus of the list share: which dialog is open, what was done, and what failed. */
export function useTemplateActions(onChanged: () => Promise<void>) {
  const sending = useSending();
  const [message, setMessage] = useState("");
  const [renaming, setRenaming] = useState<LoadedTemplate | null>(null);
  const [archiving, setArchiving] = useState<TemplateSummary | null>(null);
  const done = async (text: string) => {
    setMessage(text);
    await onChanged();
  };
  const act = (template: TemplateSummary, wanted: TemplateAction) => {
    const { template_id, name } = template;
    const params = { template_id };
    setMessage("");
    if (wanted === "archive") return setArchiving(template);
    const acts = {
      // The dialog changes the template as it is now, with its tags.
      rename: async () => setRenaming(await getIfChanged("get_template", { params }, null)),
      copy: async () => navigate(`/templates/${(await call("copy_template", { params, body: {} })).template_id}`),
      restore: async () => {
        await call("restore_template", { params });
        await done(words.restoredNow(name));
      },
    };
    void sending.run(acts[wanted]);
  };
  const archive = async () => {
    if (archiving === null) return;
    await call("archive_template", { params: { template_id: archiving.template_id } });
    await done(words.archivedNow(archiving.name));
  };
  const shown = (
    <>
      <StatusNotice>{message}</StatusNotice>
      <ErrorNotice error={sending.error} />
      {renaming !== null && (
        <NameDialog loaded={renaming} onSaved={({ name }) => done(words.savedNow(name))} onClose={() => setRenaming(null)} />
      )}
      {archiving !== null && (
        <Confirm
          title={words.archiveTitle}
          button={en.templates.archive}
          kind="danger"
          onConfirm={archive}
          onClose={() => setArchiving(null)}
        >
          <p>{en.templates.archiveText(archiving.name)}</p>
        </Confirm>
      )}
    </>
  );
  return { act, shown };
}
