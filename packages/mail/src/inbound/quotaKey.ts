import { toNetwork } from "@trailbook/core/actor/toNetwork"
import type { Envelope } from "./ParsedMail.ts"

/**
 * Identifies the sender whose mails share one part of the queue: the network that connected, or the address of ours that
 * the mail is for. Behind a relay or a provider the network is not known, and the sender chooses the envelope freely,
 * but each address of ours is a secret.
 */
export const quotaKey = ({ client, to }: Pick<Envelope, "client" | "to">): string =>
  client === undefined ? (to[0] ?? "").toLowerCase() : toNetwork(client.ip)
