import { toNetwork } from "@trailbook/core/actor"
import type { Envelope } from "./parse/ParsedMail.ts"

/**
 * Identifies the sender for per-sender limits: the client's network, or Trailbook's own recipient address. Behind a
 * relay or a provider, the network is unknown. Senders can choose any envelope sender, but each recipient address is
 * secret.
 */
export const quotaKey = ({ client, to }: Pick<Envelope, "client" | "to">): string =>
  client === undefined ? (to[0] ?? "").toLowerCase() : toNetwork(client.ip)
