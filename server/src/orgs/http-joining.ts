import { Type } from "typebox";
import { answerSignedIn } from "../accounts/answer-signed-in.ts";
import { LinkToken, Mode, NewPassword, OrgRef, Password, SignedInView, UserView } from "../accounts/shapes.ts";
import { Alternative, type Endpoint, endpoint } from "../http/endpoint.ts";
import { Email, Name, named, RoleName } from "../http/shapes.ts";
import { acceptInSession, acceptInvitation, previewInvitation } from "./accept-invitation.ts";
import type { OrgDeps } from "./org.ts";
import { presentJoined } from "./present.ts";
import { setUpByLink } from "./setup.ts";

const PersonName = Name;
export const OrgName = Name;

const JoinedView = named("JoinedOrganization", Type.Object({ user: UserView, org: OrgRef, role: RoleName }));
const InvitationPreview = named("InvitationPreview", Type.Object({ org_name: Type.String(), email: Type.String(), role: RoleName }));

/** Set-up and invitations: how a person comes into an organization, without a session. */
export function joiningEndpoints(deps: OrgDeps): Endpoint[] {
  return [
    endpoint({
      name: "set_up",
      summary: "Create the first organization and its admin",
      method: "POST",
      path: "/setup",
      access: "anyone",
      body: Type.Object({ token: LinkToken, org_name: OrgName, name: PersonName, email: Email, password: NewPassword, mode: Mode }),
      answer: [201, SignedInView],
      problems: ["invalid_link", "setup_done", "account_exists", "passwords_busy"],
      secret: true,
      run: async (visitor, { body }) => answerSignedIn(deps, await setUpByLink(deps, visitor, body.token, body), body.mode),
    }),
    endpoint({
      name: "preview_invitation",
      summary: "Preview an invitation",
      method: "POST",
      path: "/auth/invitations/preview",
      access: "anyone",
      body: Type.Object({ token: LinkToken }),
      answer: [200, InvitationPreview],
      problems: ["invalid_link"],
      run: (_visitor, { body }) => previewInvitation(deps, body.token),
    }),
    endpoint({
      name: "accept_invitation",
      summary: "Accept an invitation",
      method: "POST",
      path: "/auth/invitations/accept",
      access: "anyone",
      body: Type.Object({ token: LinkToken, password: Type.Optional(Password), name: Type.Optional(PersonName), mode: Mode }),
      answer: [201, SignedInView],
      alternative: [200, JoinedView],
      problems: [
        "invalid_link",
        "sign_in_to_join",
        "invalid_session",
        "invitation_for_other_address",
        "address_not_verified",
        "managed_by_sso",
        "already_member",
        "rate_limited",
        "passwords_busy",
      ],
      secret: true,
      run: async (visitor, { body }) => {
        if (visitor.bearer !== null)
          return new Alternative(presentJoined(await acceptInSession(deps, visitor, visitor.bearer, body.token)));
        const accepted = await acceptInvitation(deps, visitor, body.token, body);
        return "token" in accepted ? answerSignedIn(deps, accepted, body.mode) : new Alternative(presentJoined(accepted));
      },
    }),
  ];
}
