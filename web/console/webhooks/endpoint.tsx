import { Screen } from "../parts/screen.tsx";

export function EndpointScreen() {
  return <Screen title="EndpointScreen">{null}</Screen>;
}
