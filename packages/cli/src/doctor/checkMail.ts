import { readPem } from "@trailbook/runtime/service/readPem"
import { listMissingMailSettings, type MailSettingsGroup } from "@trailbook/server/dependentSettings"
import type { MailSettings } from "@trailbook/server/mailerLayer"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Finding, makeFailedFinding, makePassedFinding, toMissingSettingFindings } from "./Finding.ts"

/** The settings for outgoing and incoming mail. */
export interface MailCheckSettings extends Omit<MailSettings, "database" | "outbox">, MailSettingsGroup {
  readonly mailCertificate?: string | undefined
}

/** Checks mail by signing in to the mail server, without sending a message, and by reading the key files. */
export const checkMail = async (settings: MailCheckSettings): Promise<ReadonlyArray<Finding>> => {
  const faults = toMissingSettingFindings("mail", listMissingMailSettings(settings))
  return [
    ...faults,
    ...await checkKeyFiles(settings),
    ...checkSender(settings),
    ...await checkServer(settings),
    ...checkReplies(settings)
  ]
}

const checkKeyFiles = async ({ dkimKey, mailCertificate }: MailCheckSettings): Promise<ReadonlyArray<Finding>> => {
  const files = [[dkimKey, "--dkim-key"], [mailCertificate, "--mail-certificate"]] as const
  const checks = files.flatMap(([file, setting]) => file === undefined ? [] : [readPem(file, setting)])
  const results = await Promise.all(checks.map((each) => Effect.runPromise(Effect.either(each))))
  return results.flatMap((each) =>
    each._tag === "Left"
      ? [makeFailedFinding("mail keys", each.left.message, "Make the file readable by this user, or use another file.")]
      : []
  )
}

const checkSender = ({ mailFrom, smtpUrl }: MailCheckSettings): ReadonlyArray<Finding> =>
  smtpUrl !== undefined && /@localhost$|@[^.]+$/.test(mailFrom)
    ? [
      makeFailedFinding(
        "mail from",
        `${mailFrom} is not a sender address that other mail servers accept`,
        "Set --mail-from to an address at your domain."
      )
    ]
    : []

const checkServer = async ({ smtpUrl }: MailCheckSettings): Promise<ReadonlyArray<Finding>> => {
  if (smtpUrl === undefined) return []
  const { verifyConnection: examine } = await import("@trailbook/mail/Smtp")
  const { host } = new URL(smtpUrl)
  const result = await Effect.runPromise(Effect.either(examine(Redacted.make(smtpUrl))))
  if (result._tag === "Left") {
    return [makeFailedFinding("mail server", `${host}: ${result.left.message}`, fixes[result.left.reason])]
  }
  const { isEncrypted, offersReports } = result.right
  return [
    makePassedFinding(
      "mail server",
      `${host} accepts mail ${isEncrypted ? "with" : "without"} encryption and ${
        offersReports ? "reports deliveries" : "does not report deliveries, so accepted mail counts as delivered"
      }`
    )
  ]
}

const loginFix = "Check the user and password in TRAILBOOK_SMTP_URL. Encode a space as %20 and an @ as %40."
const networkFix = "Check the host and port in TRAILBOOK_SMTP_URL and this machine's network access."

const fixes = {
  address: networkFix,
  refused: networkFix,
  message: networkFix,
  login: loginFix,
  unreachable: networkFix,
  timeout: networkFix,
  storage: networkFix,
  program: networkFix
} as const

const checkReplies = (
  { mailInSecret, mailListen, replyDomain, smtpUrl }: MailCheckSettings
): ReadonlyArray<Finding> => {
  if (replyDomain === undefined) {
    return smtpUrl === undefined
      ? []
      : [makePassedFinding("mail in", "--reply-domain is not set, so guests cannot reply by email")]
  }
  return mailListen === undefined && mailInSecret === undefined
    ? [
      makeFailedFinding(
        "mail in",
        `replies are addressed to ${replyDomain}, but no mail receiver is configured`,
        "Set --mail-listen if you run a mail server, or --mail-in-secret if you use a mail provider."
      )
    ]
    : [makePassedFinding("mail in", `replies are addressed to ${replyDomain}`)]
}
