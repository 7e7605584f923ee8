import type { DNSResolver } from "mailauth"
import { resolve } from "node:dns/promises"
import type { DmarcVerdict, Envelope } from "./parse/ParsedMail.ts"

export type DnsResolver = DNSResolver

/**
 * Checks whether an email really comes from its From domain (RFC 7489). Returns `fail` only if the domain's policy is
 * to reject or quarantine or the library reads a different author than Trailbook does, and `null` if DNS does not
 * respond. Guests' emails are accepted if the domain has no policy or DNS fails, because the recipient address is
 * secret.
 */
export const checkDmarc = async (
  raw: Uint8Array,
  envelope: Envelope,
  fromDomain: string,
  resolver: DnsResolver = defaultResolve
): Promise<DmarcVerdict | null> => {
  // Importing the library takes half a second and 37 MB, so it is imported only when the first email is checked.
  const { authenticate } = await import("mailauth")
  const client = envelope.client === undefined ? { trustReceived: true } : envelope.client
  const authResult = await authenticate(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ...client,
    ...(envelope.from === null ? {} : { sender: envelope.from }),
    resolver,
    disableArc: true,
    disableBimi: true
  })
  const senders = authResult.dkim.headerFrom ?? []
  // If the library parses a different From address than Trailbook does, its result is about another sender.
  if (senders.length !== 1 || domainOf(senders[0] ?? "") !== fromDomain) return "fail"
  const result = authResult.dmarc === false ? "temperror" : authResult.dmarc.status.result
  if (result === "pass") return "pass"
  const isUnsure = result === "temperror" || authResult.dkim.results.some(({ status }) => status.result === "temperror")
  if (isUnsure) return null
  if (authResult.dmarc === false || result !== "fail") return "none"
  return /^(?:quarantine|reject)$/i.test(authResult.dmarc.policy) ? "fail" : "none"
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase()

// The library queries only record types that Node returns as lists.
const defaultResolve: DnsResolver = async (domain, type) =>
  await resolve(domain, type) as Array<string> | Array<Array<string>>
