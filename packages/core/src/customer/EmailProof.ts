/**
 * An email proof shows that a guest reads email sent to their address. A guest has a proof for 24 hours after opening
 * an emailed link. During that time, the guest's bookings on the public page are exempt from the limits in
 * `booking/unprovenBookingLimits.ts`.
 */
import * as Effect from "effect/Effect"
import { isEqualDigest } from "../actor/ApiKey.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { computeKeyedDigest, type Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import type { Task } from "../task/Task.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { type Language, languages } from "../wire/Language.ts"
import { type Customer, CustomerStore } from "./Customer.ts"

/** The lifetime of a proof, and of the link that creates it, in hours. */
export const emailProofLifetimeHours = 24

export const isEmailProven = ({ provenAt }: Pick<Customer, "provenAt">, now: Instant.Instant): boolean =>
  provenAt !== null && provenAt > Instant.addMinutes(now, -emailProofLifetimeHours * 60)

/** Records that a guest opened an emailed link. Does nothing if the guest is unknown, erased, or already proven. */
export const makeProveEmail = Effect.gen(function*() {
  const customers = yield* CustomerStore
  const { run } = yield* UnitOfWork
  return (key: OrgKey) =>
    run(Effect.gen(function*() {
      const [customer] = yield* customers.lock([key])
      const now = yield* currentTime
      if (customer === undefined || customer.erasedAt !== null || isEmailProven(customer, now)) return
      yield* customers.put([{ ...customer, provenAt: now, unprovenMails: [] }])
    }))
})

/** Returns the subject of a `mail.proof` task: the guest, and the language of the booking page. */
export const makeProofTaskSubject = (customerId: string, language: Language): string => `${customerId} ${language}`

export const parseProofTaskSubject = ({ subjectId }: Pick<Task, "subjectId">) => {
  const [customerId = "", text] = subjectId.split(" ")
  return { customerId, language: languages.find((language) => language === text) ?? "en" }
}

type Digest = Pick<Ids["Type"], "digest">

const sign = (ids: Digest, { secret }: Pick<Org, "secret">, customerId: string, expires: number): string =>
  computeKeyedDigest(ids, secret, `email ${customerId} ${expires}`).slice(0, 40)

/**
 * Derives the secret for a link that proves a guest's address. It contains the guest's ID and the expiry in seconds.
 */
export const makeProofSecret = (
  ids: Digest,
  org: Pick<Org, "secret">,
  customerId: string,
  now: Instant.Instant
): string => {
  const expires = Math.floor(now / 1000) + emailProofLifetimeHours * 60 * 60
  return `${customerId}.${expires}.${sign(ids, org, customerId, expires)}`
}

/** Returns the guest's ID from a secret, or undefined if the secret is invalid or expired. */
export const parseProofSecret = (
  ids: Digest,
  org: Pick<Org, "secret">,
  secret: string,
  now: Instant.Instant
): string | undefined => {
  const [, customerId, expires = "", signature = ""] = /^([\da-f-]{36})\.(\d{10})\.([\da-f]{40})$/.exec(secret) ?? []
  if (customerId === undefined || Number(expires) * 1000 <= now) return undefined
  return isEqualDigest(sign(ids, org, customerId, Number(expires)), signature) ? customerId : undefined
}
