import { toNetwork } from "@trailbook/core/actor"
import type { Envelope } from "./parse/ParsedMail.ts"

/**
 * For per-sender limits, identifies the sender by the client's network. If a relay or provider forwards the email, the
 * network is unknown, so the recipient address identifies the sender. The envelope sender is not used, because senders
 * can choose any address, whereas each recipient address is secret.
 */
export const quotaKey = ({ client, to }: Pick<Envelope, "client" | "to">): string =>
  client === undefined ? (to[0] ?? "").toLowerCase() : toNetwork(client.ip)
