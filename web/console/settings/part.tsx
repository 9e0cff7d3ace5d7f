import type { OrganizationSettings, UpdateSettingsRequest } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Form } from "../parts/form.tsx";
import { type FieldFault, refusedFields } from "../refused-fields.ts";
import type { Sending } from "../sending.ts";
import { may } from "../session.ts";
import { en } from "../words/settings/en.ts";

/** Props that every settings card gets from the screen. */
export interface PartProps {
  readonly settings: OrganizationSettings;
  readonly onSaved: (settings: OrganizationSettings) => void;
  /** reports whether the card has unsaved changes */
  readonly onChanged: (part: string, isChanged: boolean) => void;
}

interface SettingsPartProps extends Omit<PartProps, "settings"> {
  readonly title: string;
  readonly lead?: string;
  readonly sending: Sending;
  /** the values that differ from the saved settings; only these are sent */
  readonly changes: UpdateSettingsRequest;
  readonly children: ComponentChildren;
  /** why values cannot be saved, by the API's names of their fields; each follows the field's label */
  readonly refusals?: readonly FieldFault[];
  /** what to know about values that were saved, in sentences */
  readonly remark?: string;
}

/** One card of settings, saved separately. Read-only for members who are not admins. */
export function SettingsPart({
  title,
  lead,
  sending,
  changes,
  onSaved,
  onChanged,
  children,
  refusals = [],
  remark = "",
}: SettingsPartProps) {
  const [isSaved, setSaved] = useState(false);
  const isChanged = Object.keys(changes).length > 0;
  useEffect(() => onChanged(title, isChanged), [isChanged]);
  const save = async () => {
    setSaved(false);
    if (refusals.length > 0) throw refusedFields(en.notSaved, refusals);
    if (isChanged) onSaved(await call("update_settings", { body: changes }));
    setSaved(true);
  };
  return (
    <Card title={title}>
      {lead !== undefined && <p class="quiet">{lead}</p>}
      <Form sending={sending} onSend={save} wide>
        <fieldset class="stack" disabled={!may("settings:manage")}>
          {children}
        </fieldset>
        {may("settings:manage") && (
          <div class="save-line">
            <SubmitButton sending={sending}>{en.save}</SubmitButton>
            {isChanged && !sending.isBusy && <p class="quiet">{en.unsaved}</p>}
            <p class="saved" role="status">
              {isSaved && !isChanged ? en.saved(remark) : ""}
            </p>
          </div>
        )}
      </Form>
    </Card>
  );
}
