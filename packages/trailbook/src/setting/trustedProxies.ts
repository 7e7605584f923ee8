import { networkError } from "@trailbook/webhook/addresses"
import { kind, type SettingType } from "./SettingType.ts"

/**
 * The proxies in front that are trusted to say who asks: the networks that they are in, or how many of them a request
 * comes through.
 *
 * @category models
 */
export type TrustedProxies = number | ReadonlyArray<string>

const most = 10

/**
 * `loopback`, `10.0.0.0/8,fd00::/8`, `2`. All networks of this machine itself are
 * called `loopback`.
 *
 * @category kinds
 */
export const trustedProxies: SettingType<TrustedProxies> = kind(
  "<proxies>",
  `loopback, networks such as 10.0.0.0/8 separated by commas, or how many proxies, 1 to ${most}`,
  (text) => {
    if (/^\d{1,15}$/.test(text)) {
      const proxies = Number(text)
      return proxies >= 1 && proxies <= most ? proxies : undefined
    }
    const networks = text.split(",").flatMap((part) => part.trim() === "loopback" ? loopback : [part.trim()])
    return networks.every((network) => networkError(network) === undefined) ? networks : undefined
  }
)

const loopback = ["127.0.0.0/8", "::1"]
