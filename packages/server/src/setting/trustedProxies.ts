import { makeSettingType, type SettingType } from "@trailbook/runtime/setting/SettingType"
import { findNetworkError } from "@trailbook/webhook/addresses"

/** The trusted proxies, given as their networks or as the number of proxies that a request passes through. */
export type TrustedProxies = number | ReadonlyArray<string>

const most = 10

/** Accepts `loopback` (all loopback networks), `10.0.0.0/8,fd00::/8`, or a number such as `2`. */
export const trustedProxies: SettingType<TrustedProxies> = makeSettingType(
  "<proxies>",
  `loopback, comma-separated networks such as 10.0.0.0/8, or a proxy count from 1 to ${most}`,
  (text) => {
    if (/^\d{1,15}$/.test(text)) {
      const proxies = Number(text)
      return proxies >= 1 && proxies <= most ? proxies : undefined
    }
    const networks = text.split(",").flatMap((part) => part.trim() === "loopback" ? loopback : [part.trim()])
    return networks.every((network) => findNetworkError(network) === undefined) ? networks : undefined
  }
)

const loopback = ["127.0.0.0/8", "::1"]
