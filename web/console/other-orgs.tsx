import type { CurrentUser } from "@countersign/client/types";
import { call } from "./api.ts";
import { canLeave, navigate } from "./navigation.ts";
import { ErrorNotice } from "./parts/error-notice.tsx";
import { useSending } from "./sending.ts";
import { me, switchOrg } from "./session.ts";
import { useLoad } from "./use-load.ts";
import { en as words } from "./words/other-orgs/en.ts";

type Membership = CurrentUser["orgs"][number];

/** Each organization, and its sandboxes below it. */
const inFamilies = (orgs: readonly Membership[]): Membership[] =>
  orgs
    .filter(({ sandbox_of }) => sandbox_of === undefined)
    .flatMap((live) => [live, ...orgs.filter(({ sandbox_of }) => sandbox_of === live.org_id)]);

/** The other organizations of the user, to switch to. Loaded each time the menu of the user is opened. */
export function OtherOrgs() {
  const loaded = useLoad("memberships", async () => (await call("get_me")).orgs);
  const sending = useSending();
  const change = async (org_id: string) => {
    if (!canLeave("/")) return;
    await switchOrg(org_id);
    navigate("/");
  };
  return (
    <>
      {inFamilies(loaded.data ?? [])
        .filter(({ org_id }) => org_id !== me().org.org_id)
        .map(({ org_id, name, sandbox_of }) => (
          <button
            key={org_id}
            type="button"
            class={sandbox_of === undefined ? "button quiet" : "button quiet of-another"}
            onClick={() => void sending.run(() => change(org_id))}
          >
            {sandbox_of === undefined ? words.switchTo(name) : words.switchToTest(name)}
          </button>
        ))}
      <ErrorNotice error={loaded.error ?? sending.error} />
    </>
  );
}
