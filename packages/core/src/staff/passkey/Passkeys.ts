/**
 * Adds passkeys and signs in staff members with them. A challenge is valid for a few minutes and is deleted before its
 * response is checked, so each attempt needs a new one. The response is verified outside transactions. The result is
 * then applied to the current stored state under a lock.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { OrgStore } from "../../org/Orgs.ts"
import { Ids } from "../../port/Ids.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { notFound, type Refusal, refuse } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { AuditLog } from "../AuditLog.ts"
import { type SignedInMember, StaffSessions } from "../sign-in/StaffSessions.ts"
import { type StaffMember, StaffStore } from "../StaffMember.ts"
import {
  type AuthenticatorResponse,
  maxPasskeys,
  parsePasskeyResponse,
  type Passkey,
  passkeyChallengeMinutes,
  PasskeyStore,
  type PasskeyVerificationFailed,
  PasskeyVerifier,
  recordPasskeyUse,
  type RelyingParty
} from "./Passkey.ts"

/**
 * No passkey was added. The response did not match the challenge or came too late (`unanswered`), the passkey already
 * exists (`known`), or the staff member has the maximum number of passkeys (`full`).
 */
export class PasskeyNotAdded extends Data.TaggedError("PasskeyNotAdded")<{
  readonly reason: "unanswered" | "known" | "full"
}> {}

export class Passkeys extends Context.Tag("@trailbook/core/Passkeys")<
  Passkeys,
  {
    /** Returns a staff member's passkeys, oldest first. */
    readonly list: (person: Pick<StaffMember, "orgId" | "id">) => Effect.Effect<ReadonlyArray<Passkey>>
    /** Creates a challenge. `staffId` is the staff member adding a passkey, or null for a sign-in. */
    readonly challenge: (staffId: string | null) => Effect.Effect<string>
    /** Verifies the response and stores the new passkey. */
    readonly add: (input: {
      readonly member: Pick<StaffMember, "orgId" | "id">
      readonly name: string
      /** The device's response, as JSON. */
      readonly answer: string
      readonly place: RelyingParty
    }) => Effect.Effect<Passkey, PasskeyNotAdded | Refusal<"not_found">>
    /** Deletes the passkey, effective from the next request. */
    readonly remove: (
      input: Pick<Passkey, "orgId" | "staffId" | "id">
    ) => Effect.Effect<Passkey, Refusal<"not_found">>
    /** Signs in the passkey's owner. All failures return the same error. */
    readonly signIn: (input: {
      readonly answer: string
      readonly place: RelyingParty
      readonly device: string
    }) => Effect.Effect<SignedInMember & { readonly secret: string }, Refusal<"unauthorized">>
  }
>() {
  static readonly layer = Layer.effect(Passkeys, Effect.suspend(() => makePasskeys))
}

const makePasskeys = Effect.gen(function*() {
  const store = yield* PasskeyStore
  const orgs = yield* OrgStore
  const staff = yield* StaffStore
  const logins = yield* StaffSessions
  const audit = yield* AuditLog
  const verifier = yield* PasskeyVerifier
  const ids = yield* Ids
  const { run } = yield* UnitOfWork

  /** Deletes the challenge and returns whether it was valid and issued for this staff member. */
  const useChallenge = ({ challenge }: AuthenticatorResponse, staffId: string | null) =>
    run(Effect.gen(function*() {
      const digest = ids.digest(challenge)
      const storedChallenge = yield* store.lockChallenge(digest)
      if (Option.isNone(storedChallenge)) return false
      yield* store.removeChallenge(digest)
      return storedChallenge.value.staffId === staffId && (yield* currentTime) < storedChallenge.value.expiresAt
    }))

  const listByMember = ({ id, orgId }: Pick<StaffMember, "orgId" | "id">) =>
    Effect.map(store.list(orgId), (passkeys) => passkeys.filter(({ staffId }) => staffId === id))

  const auditPasskey = (what: "passkey.added" | "passkey.removed", { id, orgId, staffId }: Passkey) =>
    // A passkey's name is personal data, so it is not recorded.
    audit.addAndNotify({ orgId, by: { _tag: "Staff", staffId }, what, subject: id, name: "" })

  return Passkeys.of({
    list: listByMember,
    challenge: (staffId) =>
      run(Effect.gen(function*() {
        const now = yield* currentTime
        const challenge = ids.token(challengeLength)
        yield* store.removeOver(now, maxDeletedChallenges)
        yield* store.addChallenge({
          digest: ids.digest(challenge),
          staffId,
          expiresAt: Instant.addMinutes(now, passkeyChallengeMinutes)
        })
        return challenge
      })),
    add: ({ answer: text, member, name, place }) =>
      Effect.gen(function*() {
        const { id: staffId, orgId } = member
        const response = parsePasskeyResponse(text)
        if (response === undefined || !(yield* useChallenge(response, staffId))) return yield* unansweredError
        const credential = yield* Effect.catchTag(
          verifier.verifyRegistration({ answer: response, challenge: response.challenge, relyingParty: place }),
          "PasskeyVerificationFailed",
          (error) => Effect.zipRight(logRefusal(error, orgId), unansweredError)
        )
        return yield* run(Effect.gen(function*() {
          // The lock delays any concurrent removal of the staff member, which then deletes this passkey too.
          yield* orgs.lock(orgId)
          if (!(yield* staff.list(orgId)).some(({ id }) => id === staffId)) {
            return yield* notFound("staff member", staffId)
          }
          if ((yield* listByMember(member)).length >= maxPasskeys) return yield* fullError
          if (Option.isSome(yield* store.find(credential.id))) return yield* knownError
          const passkey: Passkey = {
            ...credential,
            orgId,
            staffId,
            name: [...name].slice(0, maxNameLength).join(""),
            createdAt: yield* currentTime,
            lastUsedAt: null
          }
          yield* store.put(passkey)
          yield* auditPasskey("passkey.added", passkey)
          return passkey
        }))
      }),
    remove: ({ id, orgId, staffId }) =>
      run(Effect.gen(function*() {
        const lockedPasskey = yield* store.lock({ orgId, id })
        if (Option.isNone(lockedPasskey) || lockedPasskey.value.staffId !== staffId) {
          return yield* notFound("passkey", id)
        }
        yield* store.remove(lockedPasskey.value)
        yield* auditPasskey("passkey.removed", lockedPasskey.value)
        return lockedPasskey.value
      })),
    signIn: ({ answer: text, device, place }) =>
      Effect.gen(function*() {
        const response = parsePasskeyResponse(text)
        if (response === undefined || !(yield* useChallenge(response, null))) return yield* unknownPasskey
        const storedPasskey = yield* store.find(response.id)
        if (Option.isNone(storedPasskey)) return yield* unknownPasskey
        const passkey = storedPasskey.value
        // The owner ID that the device reports must match the passkey's owner.
        if (response.staffId !== passkey.staffId) return yield* unknownPasskey
        const counter = yield* Effect.catchTag(
          verifier.verifyAuthentication({
            answer: response,
            challenge: response.challenge,
            passkey,
            relyingParty: place
          }),
          "PasskeyVerificationFailed",
          (error) => Effect.zipRight(logRefusal(error, passkey.orgId), unknownPasskey)
        )
        return yield* run(Effect.gen(function*() {
          const lockedPasskey = yield* store.lock(passkey)
          if (Option.isNone(lockedPasskey)) return yield* unknownPasskey
          const updatedPasskey = yield* recordPasskeyUse(lockedPasskey.value, { counter, now: yield* currentTime })
          const member = (yield* staff.list(passkey.orgId)).find(({ id }) => id === passkey.staffId)
          if (member === undefined) return yield* unknownPasskey
          yield* store.put(updatedPasskey)
          return yield* logins.start({ member, way: "passkey", device })
        }))
      })
  })
})

/**
 * The number of base62 characters in a challenge, for about 260 bits of entropy. It is a multiple of 4, so that the
 * challenge is unchanged when browsers decode it as base64url and encode it again.
 */
const challengeLength = 44

/** The maximum number of expired challenges to delete per new challenge. */
const maxDeletedChallenges = 100

const maxNameLength = 80

const unansweredError = new PasskeyNotAdded({ reason: "unanswered" })

const fullError = new PasskeyNotAdded({ reason: "full" })

const knownError = new PasskeyNotAdded({ reason: "known" })

const unknownPasskey = refuse("unauthorized", "This passkey is not registered here. Request a sign-in link instead.")

/** Logs which check failed. The caller does not learn the reason. */
const logRefusal = ({ message }: PasskeyVerificationFailed, orgId: string) =>
  Effect.annotateLogs(Effect.logInfo("Passkey refused"), { org_id: orgId, why: message })
