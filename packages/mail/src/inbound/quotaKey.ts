import { toNetwork } from "@trailbook/core/actor/toNetwork"
import type { Envelope } from "./ParsedMail.ts"

/**
 * Identifies the sender for the limits per sender: the client's network, or the own recipient address. The network is
 * unknown behind a relay or a provider. The sender can choose the envelope sender freely, but each own address is a
 * secret.
 */
export const quotaKey = ({ client, to }: Pick<Envelope, "client" | "to">): string =>
  client === undefined ? (to[0] ?? "").toLowerCase() : toNetwork(client.ip)
