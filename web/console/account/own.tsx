import { Screen } from "../parts/screen.tsx";

export function OwnAccount() {
  return <Screen title="OwnAccount">{null}</Screen>;
}
