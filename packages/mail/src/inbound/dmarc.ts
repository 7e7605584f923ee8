import { resolve, type Resolver } from "node:dns/promises"
import type { DmarcVerdict, Envelope } from "./ParsedMail.ts"

/** How domains are asked for their records; Node's own when nothing is said. */
export type Resolve = (
  domain: string,
  type: string
) => Promise<ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>>>

/**
 * Whether a mail is from the domain that it says it is from (RFC 7489). It is
 * `fail` only where that domain wants such mail to be refused or set apart, and `null`
 * where the DNS does not answer. A domain without a policy and a DNS that does not answer
 * are no reason to lose a guest's words, for the address that they wrote to is a secret.
 */
export const dmarc = async (
  raw: Uint8Array,
  envelope: Envelope,
  fromDomain: string,
  resolver: Resolve = defaultResolve
): Promise<DmarcVerdict | null> => {
  // Half a second and 37 MB: loaded for the first mail that gets as far as this.
  const { authenticate } = await import("mailauth")
  const given = envelope.client === undefined ? { trustReceived: true } : envelope.client
  const found = await authenticate(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ...given,
    ...(envelope.from === null ? {} : { sender: envelope.from }),
    resolver: async (domain, type) => mutable(await resolver(domain, type)),
    disableArc: true,
    disableBimi: true
  })
  const senders = found.dkim.headerFrom ?? []
  // Read otherwise than we read it, what was found is about somebody else.
  if (senders.length !== 1 || domainOf(senders[0] ?? "") !== fromDomain) return "fail"
  const result = found.dmarc === false ? "temperror" : found.dmarc.status.result
  if (result === "pass") return "pass"
  const isUnsure = result === "temperror" || found.dkim.results.some(({ status }) => status.result === "temperror")
  if (isUnsure) return null
  if (found.dmarc === false || result !== "fail") return "none"
  return /^(?:quarantine|reject)$/i.test(found.dmarc.policy) ? "fail" : "none"
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase()

const defaultResolve: Resolve = async (domain, type) => {
  const records = await resolve(domain, type)
  return Array.isArray(records) ? records as ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>> : []
}

type Answer = Awaited<ReturnType<Resolver["resolveTxt"]>> | Array<string>

const mutable = (records: Awaited<ReturnType<Resolve>>): Answer =>
  records.map((record) => typeof record === "string" ? record : [...record]) as Answer
