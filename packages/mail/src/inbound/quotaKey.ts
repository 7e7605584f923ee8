import { toNetwork } from "@trailbook/core/actor/toNetwork"
import type { Envelope } from "./ParsedMail.ts"

/**
 * Identifies the sender for its share of the queue: the network that connected, or the own address that the mail is
 * for. Behind a relay or a provider the network is unknown, and the sender can choose the envelope freely, but each own
 * address is a secret.
 */
export const quotaKey = ({ client, to }: Pick<Envelope, "client" | "to">): string =>
  client === undefined ? (to[0] ?? "").toLowerCase() : toNetwork(client.ip)
