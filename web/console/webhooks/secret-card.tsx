import type { WebhookEndpoint } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { gracePeriods } from "../keys/grace.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Copy } from "../parts/copy.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { SelectField } from "../parts/field.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { When } from "../parts/when.tsx";
import { en } from "../words/webhooks/en.ts";
import type { Notice } from "./notice.ts";
import { VerifySnippet } from "./verify-snippet.tsx";

const words = en.secret;

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
    onNotice({ words: words.done });
    void onChanged();
  };
  return (
    <Card title={words.title}>
      <Facts
        facts={[
          [words.rotated, <When key="rotated" at={of.secret_rotated_at} otherwise={words.never} />],
          ...(of.previous_secret_expires_at === null
            ? []
            : ([[words.previous, <Countdown key="until" at={of.previous_secret_expires_at} over={en.now} />]] as const)),
        ]}
      />
      <RequirePermission needs="webhooks:write" to={words.role}>
        <div class="buttons">
          <button type="button" class="button" onClick={() => setOpen("reveal")}>
            {words.reveal}
          </button>
          <button type="button" class="button" onClick={() => setOpen("rotate")}>
            {words.rotate}
          </button>
        </div>
      </RequirePermission>
      <VerifySnippet />
      {open === "reveal" && (
        <Confirm
          title={words.revealTitle}
          button={words.reveal}
          onConfirm={async () => setShown({ kind: "revealed", secret: (await call("get_endpoint_secret", { params })).secret })}
          onClose={close}
        >
          <p>{words.revealText}</p>
        </Confirm>
      )}
      {open === "rotate" && <Rotate {...params} onMade={(secret) => setShown({ kind: "rotated", secret })} onClose={close} />}
      {shown?.kind === "revealed" && <Revealed secret={shown.secret} onClose={() => setShown(null)} />}
      {shown?.kind === "rotated" && (
        <SecretOnce title={words.made} lead={words.madeLead} secret={shown.secret} what={words.what} onClose={rotated} />
      )}
    </Card>
  );
}

function Revealed({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={words.ofEndpoint} onClose={onClose}>
      <div class="secret">
        <code>{secret}</code>
        <Copy text={secret} what={words.what} />
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
    <Confirm title={words.rotateTitle} button={words.rotateTitle} onConfirm={rotate} onClose={onClose}>
      <div class="stack">
        <p>{words.rotateText}</p>
        <SelectField label={words.grace} name="grace_period_seconds" value={grace} choices={gracePeriods} onChoice={setGrace} />
      </div>
    </Confirm>
  );
}
