import { Screen } from "../parts/screen.tsx";

export function EnvelopeScreen() {
  return <Screen title="EnvelopeScreen">{null}</Screen>;
}
