import { UsageError } from "../command/CommandError.ts"
import type { CommandName } from "../setting/Setting.ts"
import type { MailSettings } from "./mailerOf.ts"

/**
 * Refuses to start with settings for mail that go only with another, before anything
 * is opened.
 *
 * @category checking
 * @throws UsageError
 */
export const mailRequired = (command: CommandName, settings: MailTogether): void => {
  const [missing] = missingTogether(settings)
  if (missing !== undefined) throw new UsageError(missing, command)
}

/**
 * @category models
 */
export interface MailTogether extends Pick<MailSettings, "replyDomain" | "smtpUrl" | "dkimKey"> {
  readonly mailListen?: unknown
  readonly mailInSecret?: unknown
  readonly mailCertificate?: unknown
}

/**
 * What is set without what it needs, a sentence each.
 *
 * @category checking
 */
export const missingTogether = (
  { dkimKey, mailCertificate, mailInSecret, mailListen, replyDomain, smtpUrl }: MailTogether
): ReadonlyArray<string> => [
  ...(mailListen !== undefined && replyDomain === undefined
    ? ["--mail-listen needs --reply-domain: mail is taken for addresses of that domain alone."]
    : []),
  ...(mailInSecret !== undefined && replyDomain === undefined
    ? ["--mail-in-secret needs --reply-domain: mail is taken for addresses of that domain alone."]
    : []),
  ...(mailCertificate !== undefined && mailListen === undefined
    ? ["--mail-certificate needs --mail-listen: it is shown to those who hand mail over there."]
    : []),
  ...(dkimKey !== undefined && smtpUrl === undefined
    ? ["--dkim-key needs --smtp-url: mails are signed as they leave."]
    : [])
]
