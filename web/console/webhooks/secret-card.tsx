import type { WebhookEndpoint } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { gracePeriods } from "../keys/grace.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Copy } from "../parts/copy.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { Facts } from "../parts/facts.tsx";
import { SelectField } from "../parts/field.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { When } from "../parts/when.tsx";
import type { Notice } from "./notice.ts";
import { VerifySnippet } from "./verify-snippet.tsx";

interface SecretProps {
  readonly of: WebhookEndpoint;
  readonly onChanged: () => Promise<void>;
  readonly onNotice: (notice: Notice) => void;
}

type Shown = { readonly kind: "revealed" | "rotated"; readonly secret: string };

/** The signing secret. It is in the page only while it is shown. */
export function Secret({ of, onChanged, onNotice }: SecretProps) {
  const [open, setOpen] = useState<"reveal" | "rotate" | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const params = { endpoint_id: of.endpoint_id };
  const close = () => setOpen(null);
  const rotated = () => {
    setShown(null);
    onNotice({ words: "Secret rotated." });
    void onChanged();
  };
  return (
    <Card title="Secret">
      <Facts
        facts={[
          ["Rotated", <When key="rotated" at={of.secret_rotated_at} otherwise="never" />],
          ...(of.previous_secret_expires_at === null
            ? []
            : ([["Previous secret expires", <Countdown key="until" at={of.previous_secret_expires_at} over="now" />]] as const)),
        ]}
      />
      <RequireRole least="admin" to="see and rotate the secret">
        <div class="buttons">
          <button type="button" class="button" onClick={() => setOpen("reveal")}>
            Reveal
          </button>
          <button type="button" class="button" onClick={() => setOpen("rotate")}>
            Rotate
          </button>
        </div>
      </RequireRole>
      <VerifySnippet />
      {open === "reveal" && (
        <Confirm
          title="Reveal secret"
          button="Reveal"
          onConfirm={async () => setShown({ kind: "revealed", secret: (await call("get_endpoint_secret", { params })).secret })}
          onClose={close}
        >
          <p>Your name and the time are recorded in the activity log of your organization.</p>
        </Confirm>
      )}
      {open === "rotate" && <Rotate {...params} onMade={(secret) => setShown({ kind: "rotated", secret })} onClose={close} />}
      {shown?.kind === "revealed" && <Revealed secret={shown.secret} onClose={() => setShown(null)} />}
      {shown?.kind === "rotated" && (
        <SecretOnce
          title="New secret"
          lead="Give it to your receiver. Until the previous secret expires, deliveries are signed with both."
          secret={shown.secret}
          what="secret"
          onClose={rotated}
        />
      )}
    </Card>
  );
}

function Revealed({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="Endpoint secret" onClose={onClose}>
      <div class="secret">
        <code>{secret}</code>
        <Copy text={secret} what="secret" />
      </div>
    </Dialog>
  );
}

interface RotateProps {
  readonly endpoint_id: string;
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

function Rotate({ endpoint_id, onMade, onClose }: RotateProps) {
  const [grace, setGrace] = useState("86400");
  const rotate = async () => {
    const body = { grace_period_seconds: Number(grace) };
    onMade((await call("rotate_endpoint_secret", { params: { endpoint_id }, body })).secret);
  };
  return (
    <Confirm title="Rotate secret" button="Rotate secret" onConfirm={rotate} onClose={onClose}>
      <div class="stack">
        <p>You get a new secret. During the grace period each delivery carries two signatures, one for each secret.</p>
        <SelectField
          label="Grace period for the current secret"
          name="grace_period_seconds"
          value={grace}
          choices={gracePeriods}
          onChoice={setGrace}
        />
      </div>
    </Confirm>
  );
}
