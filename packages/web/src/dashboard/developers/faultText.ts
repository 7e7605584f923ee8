import type { DeliveryFault } from "@trailbook/core/webhook/Webhook"

/**
 * Why a delivery failed, in words: short for a list, and whole with what to do.
 *
 * @category formatting
 */
export const faultText = (
  fault: DeliveryFault,
  status: number
): { readonly short: string; readonly long: string } =>
  fault === "status"
    ? {
      short: `answered ${status}`,
      long: `It answered ${status}. Only an answer from 200 to 299 takes an event: look into your program's log.`
    }
    : words[fault]

const words = {
  dns: {
    short: "name not found",
    long: "Its name was not found. Look whether the address is spelt right and its DNS entry is there."
  },
  blocked_address: {
    short: "address not public",
    long: "Its name leads to an address that is not public, and nothing is sent there."
  },
  connection: {
    short: "not reached",
    long: "The connection was refused or broke off. Look whether your program runs and its port is open."
  },
  tls: {
    short: "certificate refused",
    long: "Its certificate was not accepted. Look whether it has run out and names the right host."
  },
  timeout: {
    short: "no answer in time",
    long: "It did not answer within 5 seconds. Answer first, and do the work afterwards."
  }
} as const satisfies Record<Exclude<DeliveryFault, "status">, { readonly short: string; readonly long: string }>
