/**
 * Settings that are nothing without another. Each of these answers what is set without
 * what it needs, a sentence each.
 */
import { UsageError } from "../command/CommandError.ts"
import type { CommandName } from "../setting/Setting.ts"
import type { DraftsSettings } from "./draftsLayer.ts"
import type { MailSettings } from "./mailerLayer.ts"
import type { WeatherSettings } from "./weatherLayer.ts"

export interface MailSettingsGroup extends Pick<MailSettings, "replyDomain" | "smtpUrl" | "dkimKey"> {
  readonly mailListen?: unknown
  readonly mailInSecret?: unknown
  readonly mailCertificate?: unknown
}

export const mailMissing = (
  { dkimKey, mailCertificate, mailInSecret, mailListen, replyDomain, smtpUrl }: MailSettingsGroup
): ReadonlyArray<string> =>
  thoseOf({
    "--mail-listen needs --reply-domain: mail is taken for addresses of that domain alone.": mailListen !== undefined &&
      replyDomain === undefined,
    "--mail-in-secret needs --reply-domain: mail is taken for addresses of that domain alone.":
      mailInSecret !== undefined && replyDomain === undefined,
    "--mail-certificate needs --mail-listen: it is shown to those who hand mail over there.":
      mailCertificate !== undefined && mailListen === undefined,
    "--dkim-key needs --smtp-url: mails are signed as they leave.": dkimKey !== undefined && smtpUrl === undefined
  })

export const draftsMissing = ({ draftsKey, draftsModel, draftsUrl }: DraftsSettings): ReadonlyArray<string> =>
  thoseOf({
    "--drafts-url needs --drafts-model: the service has to be told which model is meant.": draftsUrl !== undefined &&
      draftsModel === undefined,
    "--drafts-model needs --drafts-url: it says where the model is.": draftsUrl === undefined &&
      draftsModel !== undefined,
    "--drafts-key needs --drafts-url: it is the key of the service there.": draftsUrl === undefined &&
      draftsModel === undefined && draftsKey !== undefined
  })

export const weatherMissing = (
  { forecast, forecastContact, forecastKey, forecastUrl, gauges, gaugesKey, gaugesUrl }: WeatherSettings
): ReadonlyArray<string> =>
  thoseOf({
    "--forecast nws needs --forecast-contact: the service refuses who does not say how to reach them.":
      forecast === "nws" && forecastContact === undefined,
    "--forecast-key needs --forecast open-meteo: the National Weather Service has no keys.": forecast === "nws" &&
      forecastKey !== undefined,
    [`${forecastUrl === undefined ? "--forecast-key" : "--forecast-url"} needs --forecast: nobody is asked yet.`]:
      forecast === "off" && (forecastUrl ?? forecastKey) !== undefined,
    [`${gaugesUrl === undefined ? "--gauges-key" : "--gauges-url"} needs --gauges: nobody is asked yet.`]:
      gauges === "off" && (gaugesUrl ?? gaugesKey) !== undefined
  })

/**
 * Refuses to start with something missing, before anything is opened.
 *
 * @throws UsageError
 */
export const assertComplete = (command: CommandName, ...missing: ReadonlyArray<string>): void => {
  const [first] = missing
  if (first !== undefined) throw new UsageError(first, command)
}

const thoseOf = (sentences: Readonly<Record<string, boolean>>): ReadonlyArray<string> =>
  Object.entries(sentences).filter(([, isMissing]) => isMissing).map(([said]) => said)
