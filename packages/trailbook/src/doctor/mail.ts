import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { mailMissing, type MailSettingsGroup } from "../server/dependentSettings.ts"
import { type MailSettings, readPem } from "../server/mailerLayer.ts"
import { fault, type Finding, incomplete, makePassed } from "./Finding.ts"

/** What is set for mail out and in. */
export interface MailCheck extends Omit<MailSettings, "database" | "outbox">, MailSettingsGroup {
  readonly mailCertificate?: string | undefined
}

/**
 * Whether mails leave and answers come in: by logging in at the mail server, which is
 * sent nothing, and by reading the keys.
 */
export const mail = async (settings: MailCheck): Promise<ReadonlyArray<Finding>> => {
  const missing = incomplete("mail", mailMissing(settings))
  return [...missing, ...await keys(settings), ...sender(settings), ...await server(settings), ...answers(settings)]
}

const keys = async ({ dkimKey, mailCertificate }: MailCheck): Promise<ReadonlyArray<Finding>> => {
  const files = [[dkimKey, "--dkim-key"], [mailCertificate, "--mail-certificate"]] as const
  const read = files.flatMap(([file, setting]) => file === undefined ? [] : [readPem(file, setting)])
  const found = await Promise.all(read.map((each) => Effect.runPromise(Effect.either(each))))
  return found.flatMap((each) =>
    each._tag === "Left" ? [fault("mail keys", each.left.message, "Let this user read the file, or name another.")] : []
  )
}

const sender = ({ mailFrom, smtpUrl }: MailCheck): ReadonlyArray<Finding> =>
  smtpUrl !== undefined && /@localhost$|@[^.]+$/.test(mailFrom)
    ? [
      fault(
        "mail from",
        `mails would come from ${mailFrom}, which nobody takes`,
        "Set --mail-from to an address of yours."
      )
    ]
    : []

const server = async ({ smtpUrl }: MailCheck): Promise<ReadonlyArray<Finding>> => {
  if (smtpUrl === undefined) return []
  const { examine } = await import("@trailbook/mail/Smtp")
  const { host } = new URL(smtpUrl)
  const found = await Effect.runPromise(Effect.either(examine(Redacted.make(smtpUrl))))
  if (found._tag === "Left") return [fault("mail server", `${host}: ${found.left.message}`, fixes[found.left.reason])]
  const { isEncrypted, offersReports } = found.right
  return [
    makePassed(
      "mail server",
      `${host} takes our mail, ${isEncrypted ? "encrypted" : "not encrypted"}; ${
        offersReports ? "it reports deliveries" : "it reports no deliveries, so what it takes counts as delivered"
      }`
    )
  ]
}

const login = "Correct user and password in TRAILBOOK_SMTP_URL; a blank or an @ in them is written %20, %40."
const reach = "Correct host and port in TRAILBOOK_SMTP_URL, and let this machine connect there."

const fixes = {
  address: reach,
  refused: reach,
  message: reach,
  login,
  unreachable: reach,
  timeout: reach,
  storage: reach,
  program: reach
} as const

const answers = ({ mailInSecret, mailListen, replyDomain, smtpUrl }: MailCheck): ReadonlyArray<Finding> => {
  if (replyDomain === undefined) {
    return smtpUrl === undefined
      ? []
      : [makePassed("mail in", "no --reply-domain is set, so guests cannot answer by mail")]
  }
  return mailListen === undefined && mailInSecret === undefined
    ? [
      fault(
        "mail in",
        `answers come to addresses of ${replyDomain}, and nobody takes them in`,
        "Set --mail-listen behind your mail server, or --mail-in-secret for a mail provider."
      )
    ]
    : [makePassed("mail in", `answers come to addresses of ${replyDomain}`)]
}
