import type { ComplianceStanding, VaultStatistics } from "@countersign/client/types";
import { call } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/home-cards/en.ts";

const words = en.vault;

type Tone = "good" | "accent" | "caution" | "plain" | "bad";

/** The order and colours of the bar. Green is for what anyone can recompute, red for what was damaged. */
const held = { proven: "good", attested: "accent", not_passed: "caution", not_assessed: "plain" } as const satisfies Partial<
  Record<ComplianceStanding, Tone>
>;
const heldStandings = Object.keys(held) as readonly (keyof typeof held)[];
const gone = ["left", "destroyed"] as const satisfies readonly ComplianceStanding[];

/** What the vault holds, by what its latest certificates show. */
export function VaultCard() {
  const loaded = useLoad("vault", () => call("get_vault_statistics"));
  const figures = loaded.data;
  const total = figures === null ? 0 : sum(Object.values(figures.by_standing));
  return (
    <Card title={words.title} {...(total > 0 && { actions: <Link to="/vault">{words.documents(formatNumber(total))}</Link> })}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {figures === null && loaded.isSlow && <Skeleton lines={2} />}
      {figures !== null && (total === 0 ? <Nothing /> : <Figures of={figures} />)}
    </Card>
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

const Nothing = () => (
  <>
    <p class="quiet">{words.none}</p>
    {may("vault:write") && (
      <p>
        <Link to="/vault/deposit">{words.deposit}</Link>
      </p>
    )}
  </>
);

function Figures({ of: { by_standing, tampered } }: { of: VaultStatistics }) {
  const damaged = sum(Object.values(tampered));
  const parts = [
    ...heldStandings.map((standing) => ({ name: standing, tone: held[standing], count: by_standing[standing] - tampered[standing] })),
    { name: "damaged", tone: "bad" as const, count: damaged },
  ].filter(({ count }) => count > 0);
  const inVault = sum(parts.map(({ count }) => count));
  const listed = [...heldStandings, ...gone].filter((standing) => by_standing[standing] > 0);
  return (
    <>
      {damaged > 0 && (
        <p class="notice bad">
          <Link to="/vault?state=tampered">{words.damaged(formatNumber(damaged))}</Link>
        </p>
      )}
      {inVault === 0 ? (
        <p class="quiet">{words.empty}</p>
      ) : (
        <div class="vault-bar" aria-hidden="true">
          {parts.map(({ name, tone, count }) => (
            <span key={name} class={tone} style={{ flexGrow: count }} />
          ))}
        </div>
      )}
      <ul class="vault-counts">
        {listed.map((standing) => (
          <li key={standing}>
            <Link to={`/vault?standing=${standing}`} class="by-status-line">
              <span class={`vault-mark ${standing in held ? held[standing as keyof typeof held] : "none"}`} aria-hidden="true" />
              <span>{words.standings[standing]}</span>
              <span class="by-status-count">{formatNumber(by_standing[standing])}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
