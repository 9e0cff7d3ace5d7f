import { me } from "../session.ts";
import type { Acceptance } from "./acceptance.tsx";

export const noAcceptance = (): Acceptance => ({ isAccepted: false, name: me().user.name, terms_version: null });
