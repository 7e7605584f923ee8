import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Actor, Recorder } from "../actor/Actor.ts"
import { ApiKeyStore } from "../actor/ApiKey.ts"
import { StaffStore } from "../staff/StaffMember.ts"
import { GrantStore } from "./Grant.ts"

/**
 * Returns a function that looks up the current name of a request's actor. A staff member without a name is recorded by
 * email address.
 */
export const makeLoadRecorder = Effect.gen(function*() {
  const grants = yield* GrantStore
  const keys = yield* ApiKeyStore
  const staff = yield* StaffStore
  return (actor: Actor["Type"]): Effect.Effect<Recorder> => {
    switch (actor._tag) {
      case "Staff":
        return Effect.map(staff.list(actor.orgId), (people) => {
          const member = people.find(({ id }) => id === actor.staffId)
          return { kind: "staff", id: actor.staffId, name: member?.name || (member?.email ?? "") }
        })
      case "Key":
        return Effect.map(keys.find(actor.keyId), (key) => ({
          kind: "key",
          id: actor.keyId,
          name: Option.match(key, { onNone: () => "", onSome: ({ name }) => name })
        }))
      case "Application":
        return Effect.map(grants.list(actor.orgId), (all) => ({
          kind: "application",
          id: actor.grantId,
          name: all.find(({ id }) => id === actor.grantId)?.name ?? ""
        }))
      case "Agent":
        return Effect.succeed({ kind: "agent", id: actor.proposalId, name: "" })
      default:
        return Effect.succeed({ kind: "key", id: null, name: "" })
    }
  }
})
