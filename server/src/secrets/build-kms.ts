import type { DerivedKeys } from "../shared/secrets.ts";
import { type AwsKmsSettings, awsKms } from "./kms/aws.ts";
import { fileKms } from "./kms/file.ts";
import { localKms } from "./kms/local.ts";
import type { KeyServices, Kms } from "./kms.ts";

/** One entry of the setting KMS. */
export type KmsSetting =
  | { readonly kind: "local" }
  | { readonly kind: "file"; readonly secret: string }
  | ({ readonly kind: "aws" } & AwsKmsSettings);

/** The first is used for new keys. APP_SECRET can always unwrap, because it wrapped the keys of before. */
export function buildKms([first, ...others]: readonly [KmsSetting, ...KmsSetting[]], { wrap }: Pick<DerivedKeys, "wrap">): KeyServices {
  const local = localKms(wrap);
  const build = (setting: KmsSetting): Kms => {
    if (setting.kind === "file") return fileKms(setting.secret);
    return setting.kind === "aws" ? awsKms(setting) : local;
  };
  const current = build(first);
  return { current, all: [current, ...others.map(build), local] };
}
