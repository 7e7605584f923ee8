/** Checks settings that require other settings. Each function returns one message per missing setting. */
import type { DraftsSettings } from "@trailbook/runtime/service/draftsLayer"
import type { WeatherSettings } from "@trailbook/runtime/service/weatherLayers"
import type { MailSettings } from "./mailerLayer.ts"
import type { CommandName } from "./setting/Setting.ts"
import { UsageError } from "./setting/UsageError.ts"

export interface MailSettingsGroup extends Pick<MailSettings, "replyDomain" | "smtpUrl" | "dkimKey"> {
  readonly mailListen?: unknown
  readonly mailInSecret?: unknown
  readonly mailCertificate?: unknown
}

export const listMissingMailSettings = (
  { dkimKey, mailCertificate, mailInSecret, mailListen, replyDomain, smtpUrl }: MailSettingsGroup
): ReadonlyArray<string> =>
  listMissing({
    "--mail-listen requires --reply-domain: the server accepts mail only for that domain.": mailListen !== undefined &&
      replyDomain === undefined,
    "--mail-in-secret requires --reply-domain: the server accepts mail only for that domain.":
      mailInSecret !== undefined &&
      replyDomain === undefined,
    "--mail-certificate requires --mail-listen: the mail server uses the certificate.": mailCertificate !== undefined &&
      mailListen === undefined,
    "--dkim-key requires --smtp-url: Trailbook signs only mail that it sends over SMTP.": dkimKey !== undefined &&
      smtpUrl === undefined
  })

export const listMissingDraftsSettings = (
  { draftsKey, draftsModel, draftsUrl }: DraftsSettings
): ReadonlyArray<string> =>
  listMissing({
    "--drafts-url requires --drafts-model: the API needs a model name.": draftsUrl !== undefined &&
      draftsModel === undefined,
    "--drafts-model requires --drafts-url: the model is used with that API.": draftsUrl === undefined &&
      draftsModel !== undefined,
    "--drafts-key requires --drafts-url: the key is used with that API.": draftsUrl === undefined &&
      draftsModel === undefined && draftsKey !== undefined
  })

export const listMissingWeatherSettings = (
  { forecast, forecastContact, forecastKey, forecastUrl, gauges, gaugesKey, gaugesUrl }: WeatherSettings
): ReadonlyArray<string> =>
  listMissing({
    "--forecast nws requires --forecast-contact: the service rejects requests without a contact.": forecast === "nws" &&
      forecastContact === undefined,
    "--forecast-key requires --forecast open-meteo: the National Weather Service uses no keys.": forecast === "nws" &&
      forecastKey !== undefined,
    [
      `${
        forecastUrl === undefined ? "--forecast-key" : "--forecast-url"
      } requires --forecast: no weather service is configured.`
    ]: forecast === "off" && (forecastUrl ?? forecastKey) !== undefined,
    [`${gaugesUrl === undefined ? "--gauges-key" : "--gauges-url"} requires --gauges: no river service is configured.`]:
      gauges === "off" && (gaugesUrl ?? gaugesKey) !== undefined
  })

/**
 * Rejects incomplete settings before anything is opened.
 *
 * @throws UsageError
 */
export const assertSettingsComplete = (command: CommandName, ...messages: ReadonlyArray<string>): void => {
  const [first] = messages
  if (first !== undefined) throw new UsageError(first, command)
}

const listMissing = (sentences: Readonly<Record<string, boolean>>): ReadonlyArray<string> =>
  Object.entries(sentences).filter(([, isMissing]) => isMissing).map(([message]) => message)
