import { Screen } from "../parts/screen.tsx";

export function Envelopes() {
  return <Screen title="Envelopes">{null}</Screen>;
}
