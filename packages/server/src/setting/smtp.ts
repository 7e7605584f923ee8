import { forms, smtpUrl } from "@trailbook/mail/smtpUrl"
import { kind, secret, type SettingType } from "@trailbook/runtime/setting/SettingType"

/** A mail server's URL. The value is the text as given. It is secret, because it can contain a password. */
export const smtp: SettingType<string> = secret(
  kind("<url>", forms, (text) => smtpUrl(text) === undefined ? undefined : text)
)
