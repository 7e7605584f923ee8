import { toNetwork } from "@trailbook/core/actor"
import type { Envelope } from "./parse/ParsedMail.ts"

/**
 * Identifies the sender for per-sender limits: by the client's network, or by the recipient address if a relay or
 * provider forwards the email, because the client's network is then unknown. The envelope sender is not used, because
 * senders can choose any address. Each recipient address is secret.
 */
export const quotaKey = ({ client, to }: Pick<Envelope, "client" | "to">): string =>
  client === undefined ? (to[0] ?? "").toLowerCase() : toNetwork(client.ip)
