import { Screen } from "../parts/screen.tsx";

export function UploadCustomers() {
  return <Screen title="UploadCustomers">{null}</Screen>;
}
