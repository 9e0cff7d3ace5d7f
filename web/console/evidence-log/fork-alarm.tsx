import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { local, utc } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/fork-alarm/en.ts";

const w = en.forkAlarm;

/** A banner while a witness contradicts the log; otherwise nothing. */
export function ForkAlarm() {
  const { data, error } = useLoad("transparency", () => call("get_transparency"));
  const [latest] = data?.conflicts ?? [];
  if (error !== null) {
    return (
      <p class="notice">
        {w.theStateOf}
        <Link to="/evidence-log">{w.openEvidenceLog}</Link>
      </p>
    );
  }
  if (latest === undefined) return null;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{w.forkAlarm}</strong>
        {w.theWitnessRefused(latest.witness)}
        <time dateTime={latest.at} title={utc(latest.at)}>
          {local(latest.at)}
        </time>
        {w.itSaysThat}
        <Link to="/evidence-log">{w.seeWhatTo}</Link>
      </p>
    </div>
  );
}
