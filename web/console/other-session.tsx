import type { SessionTokens } from "@countersign/client/types";
import { Dialog } from "../ui/dialog.tsx";
import { navigate } from "./navigation.ts";
import { SubmitButton } from "./parts/button.tsx";
import { Form } from "./parts/form.tsx";
import { useSending } from "./sending.ts";
import { me, startSession, switchOrg } from "./session.ts";
import { en as words } from "./words/other-session/en.ts";

const stay = () => undefined;

/** The session changed in another tab. This tab writes nothing until the user decides. */
export function OtherSession({ other }: { other: SessionTokens }) {
  const { user, org } = me();
  const sending = useSending();
  const isOther = other.user.user_id !== user.user_id;
  const follow = async () => {
    startSession(other);
    navigate("/");
  };
  return (
    <Dialog title={isOther ? words.otherUser.title(other.user.name) : words.otherOrg.title(other.org.name)} onClose={stay}>
      <p>{isOther ? words.otherUser.text(other.user.name, user.name) : words.otherOrg.text(org.name)}</p>
      <Form sending={sending} onSend={follow}>
        <div class="buttons end">
          {!isOther && (
            <button type="button" class="button" onClick={() => void sending.run(() => switchOrg(org.org_id))}>
              {words.otherOrg.stay(org.name)}
            </button>
          )}
          <SubmitButton sending={sending}>
            {isOther ? words.otherUser.follow(other.user.name) : words.otherOrg.follow(other.org.name)}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
