/**
 * Passkeys. A device is asked to sign a challenge, which is good for a few minutes and once:
 * it is spent before the answer is looked at, so whoever tries an answer again, or many, has
 * to ask again. What a device answers is checked outside of any unit of work; what follows
 * from it is decided under a lock, by what is stored then.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Decider from "../Decider.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { AuditLog } from "./AuditLog.ts"
import { type AuthenticatorResponse, parsePasskeyResponse } from "./parsePasskeyResponse.ts"
import { challengeMinutes, maxPasskeys, type Passkey } from "./Passkey.ts"
import { passkeyDecider } from "./PasskeyDecider.ts"
import { PasskeyStore } from "./PasskeyStore.ts"
import { type PasskeyInvalid, PasskeyVerifier, type RelyingParty } from "./PasskeyVerifier.ts"
import type { StaffMember } from "./StaffMember.ts"
import { type SignedIn, StaffSessions } from "./StaffSessions.ts"
import { StaffStore } from "./StaffStore.ts"

/**
 * Why somebody has no new passkey: the device did not answer what it was asked, or not in time; it has one here
 * already; or they have as many as one person may.
 *
 * @category errors
 */
export class PasskeyNotAdded extends Data.TaggedError("PasskeyNotAdded")<{
  readonly why: "unanswered" | "known" | "full"
}> {}

/**
 * @category services
 */
export class Passkeys extends Context.Tag("@trailbook/core/Passkeys")<
  Passkeys,
  {
    /** A person's passkeys, the oldest first. */
    readonly list: (person: Pick<StaffMember, "orgId" | "id">) => Effect.Effect<ReadonlyArray<Passkey>>
    /** What a device is to sign: for whoever adds a passkey, or with null for whoever signs in. */
    readonly challenge: (staffId: string | null) => Effect.Effect<string>
    /** Keeps a passkey that a device has made just now for this person. */
    readonly add: (given: {
      readonly member: Pick<StaffMember, "orgId" | "id">
      readonly name: string
      /** What the device answered, as JSON. */
      readonly answer: string
      readonly place: RelyingParty
    }) => Effect.Effect<Passkey, PasskeyNotAdded | Refusal<"not_found">>
    /** The person's passkey opens nothing from the next request on. */
    readonly remove: (
      given: Pick<Passkey, "orgId" | "staffId" | "id">
    ) => Effect.Effect<Passkey, Refusal<"not_found">>
    /** Signs in whose passkey it is. One answer for everything that is no good answer. */
    readonly signIn: (given: {
      readonly answer: string
      readonly place: RelyingParty
      readonly device: string
    }) => Effect.Effect<SignedIn & { readonly secret: string }, Refusal<"unauthorized">>
  }
>() {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function*() {
      const store = yield* PasskeyStore
      const orgs = yield* OrgStore
      const staff = yield* StaffStore
      const logins = yield* StaffSessions
      const audit = yield* AuditLog
      const reader = yield* PasskeyVerifier
      const ids = yield* Ids
      const { run } = yield* UnitOfWork

      /** Whether it was asked for by this person, lately; from now on it was not. */
      const spent = ({ challenge }: AuthenticatorResponse, staffId: string | null) =>
        run(Effect.gen(function*() {
          const digest = ids.digest(challenge)
          const found = yield* store.lockChallenge(digest)
          if (Option.isNone(found)) return false
          yield* store.removeChallenge(digest)
          return found.value.staffId === staffId && (yield* currentTime) < found.value.expiresAt
        }))

      const ofPerson = ({ id, orgId }: Pick<StaffMember, "orgId" | "id">) =>
        Effect.map(store.list(orgId), (all) => all.filter(({ staffId }) => staffId === id))

      const noted = (what: "passkey.added" | "passkey.removed", { id, orgId, staffId }: Passkey) =>
        // What it is called says something of its owner.
        audit.note({ orgId, by: { _tag: "Staff", staffId }, what, subject: id, name: "" })

      return Passkeys.of({
        list: ofPerson,
        challenge: (staffId) =>
          run(Effect.gen(function*() {
            const now = yield* currentTime
            const challenge = ids.token(challengeLength)
            yield* store.removeOver(now, atOnce)
            yield* store.addChallenge({
              digest: ids.digest(challenge),
              staffId,
              expiresAt: Instant.addMinutes(now, challengeMinutes)
            })
            return challenge
          })),
        add: ({ answer: text, member, name, place }) =>
          Effect.gen(function*() {
            const { id: staffId, orgId } = member
            const answer = parsePasskeyResponse(text)
            if (answer === undefined || !(yield* spent(answer, staffId))) return yield* unanswered
            const made = yield* Effect.catchTag(
              reader.made({ answer, challenge: answer.challenge, place }),
              "PasskeyInvalid",
              (error) => Effect.zipRight(told(error, orgId), unanswered)
            )
            return yield* run(Effect.gen(function*() {
              // Who is removed meanwhile waits, and finds it.
              yield* orgs.lock(orgId)
              if (!(yield* staff.list(orgId)).some(({ id }) => id === staffId)) {
                return yield* notFound("member of the staff", staffId)
              }
              if ((yield* ofPerson(member)).length >= maxPasskeys) return yield* full
              if (Option.isSome(yield* store.find(made.id))) return yield* isKnown
              const passkey: Passkey = {
                ...made,
                orgId,
                staffId,
                name: [...name].slice(0, maxName).join(""),
                createdAt: yield* currentTime,
                lastUsedAt: null
              }
              yield* store.put(passkey)
              yield* noted("passkey.added", passkey)
              return passkey
            }))
          }),
        remove: ({ id, orgId, staffId }) =>
          run(Effect.gen(function*() {
            const found = yield* store.lock({ orgId, id })
            if (Option.isNone(found) || found.value.staffId !== staffId) return yield* notFound("passkey", id)
            yield* store.remove(found.value)
            yield* noted("passkey.removed", found.value)
            return found.value
          })),
        signIn: ({ answer: text, device, place }) =>
          Effect.gen(function*() {
            const answer = parsePasskeyResponse(text)
            if (answer === undefined || !(yield* spent(answer, null))) return yield* noPasskey
            const found = yield* store.find(answer.id)
            if (Option.isNone(found)) return yield* noPasskey
            const passkey = found.value
            // A device says whom it has the passkey for.
            if (answer.staffId !== passkey.staffId) return yield* noPasskey
            const counter = yield* Effect.catchTag(
              reader.used({ answer, challenge: answer.challenge, passkey, place }),
              "PasskeyInvalid",
              (error) => Effect.zipRight(told(error, passkey.orgId), noPasskey)
            )
            return yield* run(Effect.gen(function*() {
              const now = yield* store.lock(passkey)
              if (Option.isNone(now)) return yield* noPasskey
              const used = yield* Decider.run(passkeyDecider)(now.value, {
                _tag: "Use",
                counter,
                now: yield* currentTime
              })
              const member = (yield* staff.list(passkey.orgId)).find(({ id }) => id === passkey.staffId)
              if (member === undefined) return yield* noPasskey
              yield* store.put(used.state)
              return yield* logins.start({ member, way: "passkey", device })
            }))
          })
      })
    })
  )
}

/** Base62: some 260 bits. A multiple of 4, for browsers read it as base64url and write it again. */
const challengeLength = 44

/** So many that are over are deleted for each that is made. */
const atOnce = 100

const maxName = 80

const unanswered = new PasskeyNotAdded({ why: "unanswered" })

const full = new PasskeyNotAdded({ why: "full" })

const isKnown = new PasskeyNotAdded({ why: "known" })

const noPasskey = refuse("unauthorized", "This passkey does not open anything here. Ask for a link instead.")

/** Which of the checks it was, is for whoever runs the service. */
const told = ({ message }: PasskeyInvalid, orgId: string) =>
  Effect.annotateLogs(Effect.logInfo("A passkey was refused."), { org_id: orgId, why: message })
