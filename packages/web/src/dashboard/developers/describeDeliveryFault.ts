import type { DeliveryFault } from "@trailbook/core/webhook"

/** Describes a failed delivery, either briefly for lists or in full with a suggested fix. */
export const describeDeliveryFault = (
  fault: DeliveryFault,
  status: number
): { readonly short: string; readonly long: string } =>
  fault === "status"
    ? {
      short: `responded ${status}`,
      long:
        `The response status was ${status}. Only a status from 200 to 299 confirms delivery. Check your application's log.`
    }
    : words[fault]

const words = {
  dns: {
    short: "name not found",
    long: "The host name was not found. Check the spelling and the DNS record."
  },
  blocked_address: {
    short: "address not public",
    long: "The host name resolves to a private address. Events are sent to public addresses only."
  },
  connection: {
    short: "unreachable",
    long: "The connection was refused or closed. Check that your application is running and its port is open."
  },
  tls: {
    short: "certificate rejected",
    long: "The TLS certificate was rejected. Check its expiry date and host name."
  },
  timeout: {
    short: "timed out",
    long: "Your application did not respond within 5 seconds. Respond before you process the event."
  }
} as const satisfies Record<Exclude<DeliveryFault, "status">, { readonly short: string; readonly long: string }>
