import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { local, utc } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";

/** A banner while a witness contradicts the log; otherwise nothing. */
export function ForkAlarm() {
  const { data, error } = useLoad("transparency", () => call("get_transparency"));
  const [latest] = data?.conflicts ?? [];
  if (error !== null) {
    return (
      <p class="notice">
        The state of the evidence log could not be loaded. <Link to="/evidence-log">Open evidence log</Link>
      </p>
    );
  }
  if (latest === undefined) return null;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>Fork alarm.</strong> The witness {latest.witness} refused to cosign the evidence log on{" "}
        <time dateTime={latest.at} title={utc(latest.at)}>
          {local(latest.at)}
        </time>
        . It says that it has seen another history than this installation shows. <Link to="/evidence-log">See what to do</Link>
      </p>
    </div>
  );
}
