import type { BulkOptions, Template } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ChooseFile } from "../customers/choose-file.tsx";
import { Link } from "../link.tsx";
import { navigate } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { cut } from "../parts/cut.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { AreaField, Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { saveFrom } from "../parts/save.ts";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { TagsField } from "../parts/tags-field.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { words } from "./words.tsx";

const { upload } = words;

/** A file for a template, and what applies to every envelope. */
export function NewBulkSend({ params: { template_id = "" } }: ScreenProps) {
  const loaded = useLoad(template_id, () => call("get_template", { params: { template_id } }));
  const above = <Link to={`/templates/${template_id}`}>{loaded.data?.name ?? words.facts.template}</Link>;
  return (
    <Screen title={loaded.data === null ? upload.button : upload.title(loaded.data.name)} above={above} lead={upload.lead}>
      {loaded.data === null && loaded.isSlow && <Skeleton />}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data !== null && (
        <RequirePermission needs="envelopes:write" to={upload.role}>
          <Upload template={loaded.data} />
        </RequirePermission>
      )}
      <ApiCall operation="create_bulk_batch" form={["file=@rows.csv", `template_id=${template_id}`]} />
    </Screen>
  );
}

// The role of the signer if the document has no roles.
const ONLY_ROLE = "Signer";

/** The roles whose person is different in each row. */
function openRoles({ recipients }: Template): string[] {
  const open = recipients.flatMap(({ role, email }) => (role !== null && email === null ? [role] : []));
  return recipients.some(({ kind }) => kind === "signer") ? open : [ONLY_ROLE, ...open];
}

function Upload({ template }: { template: Template }) {
  const { template_id } = template;
  const [file, setFile] = useState<File | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [given, setGiven] = useState<GivenOptions>({ name: "", tags: [], message: "", days: "", every: "", isVaulted: false });
  const [sending, saving] = [useSending(), useSending()];
  const change = (more: Partial<GivenOptions>) => setGiven((now) => ({ ...now, ...more }));
  const send = async () => {
    setMissing(file === null);
    if (file === null) return;
    const { batch_id } = await call("create_bulk_batch", { body: { file, template_id, options: optionsOf(given) } });
    navigate(`/bulk/${batch_id}`);
  };
  const example = () => saveFrom("get_bulk_example", "bulk.csv", { params: { template_id } });
  return (
    <Form sending={sending} wide onSend={send}>
      <Card title={upload.file}>
        {file === null ? (
          <ChooseFile onFile={setFile} />
        ) : (
          <div class="card-head">
            <p class="bulk-file">{cut(file.name)}</p>
            <button type="button" class="button" onClick={() => setFile(null)}>
              {upload.change}
            </button>
          </div>
        )}
        {isMissing && file === null && (
          <p class="error" role="alert">
            {upload.file} {upload.fileMissing}
          </p>
        )}
        <div class="stack tight">
          <p>{upload.people(openRoles(template).join(", "))}</p>
          <p class="quiet">{upload.fields}</p>
          <p class="quiet">{upload.limits}</p>
        </div>
        <ErrorNotice error={saving.error} />
        <div class="buttons">
          <ActionButton sending={saving} busyLabel={words.busy} onAction={example}>
            {upload.example}
          </ActionButton>
        </div>
      </Card>
      <Card title={upload.options}>
        <TextField
          label={upload.name}
          name="options.name"
          optional
          maxLength={200}
          hint={upload.nameHint}
          value={given.name}
          onText={(name) => change({ name })}
          sending={sending}
        />
        <TagsField
          label={upload.tags}
          name="options.tags"
          optional
          hint={upload.tagsHint}
          tags={given.tags}
          onTags={(tags) => change({ tags })}
          sending={sending}
        />
        <AreaField
          label={upload.message}
          name="options.message"
          optional
          maxLength={2000}
          hint={upload.messageHint}
          value={given.message}
          onText={(message) => change({ message })}
          sending={sending}
        />
        <div class="columns">
          <TextField
            label={upload.days}
            name="options.expires_in_days"
            type="number"
            inputMode="numeric"
            min={1}
            max={365}
            optional
            hint={upload.daysHint}
            value={given.days}
            onText={(days) => change({ days })}
            sending={sending}
          />
          <TextField
            label={upload.every}
            name="options.reminders.every_days"
            type="number"
            inputMode="numeric"
            min={1}
            max={30}
            optional
            hint={upload.everyHint}
            value={given.every}
            onText={(every) => change({ every })}
            sending={sending}
          />
        </div>
        <Checkbox label={upload.vault} hint={upload.vaultHint} checked={given.isVaulted} onCheck={(isVaulted) => change({ isVaulted })} />
      </Card>
      <div class="buttons">
        <SubmitButton sending={sending} busyLabel={upload.sending}>
          {upload.submit}
        </SubmitButton>
      </div>
    </Form>
  );
}

interface GivenOptions {
  readonly name: string;
  readonly tags: readonly string[];
  readonly message: string;
  readonly days: string;
  readonly every: string;
  readonly isVaulted: boolean;
}

/** Only what was filled in. */
function optionsOf({ name, tags, message, days, every, isVaulted }: GivenOptions): BulkOptions {
  return {
    ...(name.trim() !== "" && { name: name.trim() }),
    ...(tags.length > 0 && { tags }),
    ...(message.trim() !== "" && { message: message.trim() }),
    ...(days.trim() !== "" && { expires_in_days: Number(days) }),
    ...(every.trim() !== "" && { reminders: { every_days: Number(every) } }),
    ...(isVaulted && { auto_vault_enabled: true }),
  };
}
