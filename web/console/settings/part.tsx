import type { OrganizationSettings, UpdateSettingsRequest } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Form } from "../parts/form.tsx";
import type { Sending } from "../sending.ts";
import { hasRole } from "../session.ts";

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
  /** why the values cannot be saved, in sentences; null if they can */
  readonly refusal?: string | null;
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
  refusal = null,
  remark = "",
}: SettingsPartProps) {
  const [isSaved, setSaved] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const isChanged = Object.keys(changes).length > 0;
  useEffect(() => onChanged(title, isChanged), [isChanged]);
  const save = async () => {
    setSaved(false);
    setRefused(refusal !== null);
    if (refusal !== null) return;
    if (isChanged) onSaved(await call("update_settings", { body: changes }));
    setSaved(true);
  };
  return (
    <Card title={title}>
      {lead !== undefined && <p class="quiet">{lead}</p>}
      <Form sending={sending} onSend={save} wide>
        <fieldset class="stack" disabled={!hasRole("admin")}>
          {children}
        </fieldset>
        {hasRole("admin") && (
          <div class="save-line">
            <SubmitButton sending={sending}>Save</SubmitButton>
            {isChanged && !sending.isBusy && <p class="quiet">Unsaved changes.</p>}
            <p class="saved" role="status">
              {isSaved && !isChanged ? `Saved. ${remark}`.trim() : ""}
            </p>
            {isRefused && refusal !== null && (
              <p class="error" role="alert">
                Not saved. {refusal}
              </p>
            )}
          </div>
        )}
      </Form>
    </Card>
  );
}
