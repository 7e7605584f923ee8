/**
 * The people of an org. Changes lock the org, so that of two at once the second
 * sees what the first has done: an address is one person, and there are never more
 * than there may be.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrgStore } from "../org/OrgStore.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, notFound, type Refusal } from "../Refusal.ts"
import { moment } from "../time/moment.ts"
import { LoginStore } from "./LoginStore.ts"
import { maxStaff, type Role, type StaffMember } from "./StaffMember.ts"
import { StaffStore } from "./StaffStore.ts"

/**
 * @category services
 */
export class StaffMembers extends Context.Tag("@trailbook/core/StaffMembers")<
  StaffMembers,
  {
    /** Oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /**
     * Adds a person, or changes the fields given of the one who has this address, which
     * is in lower case. A new person has no name, is `staff` and is notified when nothing else is said. The only owner
     * stays one.
     */
    readonly add: (
      given: Pick<StaffMember, "orgId" | "email"> & {
        readonly name?: string | undefined
        readonly role?: Role | undefined
        readonly notify?: boolean | undefined
      }
    ) => Effect.Effect<StaffMember, Refusal<"not_found" | "invalid_request">>
    /** Deletes the person with this address and all that they could sign in with, and answers with who it was. */
    readonly remove: (
      key: Pick<StaffMember, "orgId" | "email">
    ) => Effect.Effect<StaffMember, Refusal<"not_found" | "invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(
    StaffMembers,
    Effect.gen(function*() {
      const orgs = yield* OrgStore
      const staff = yield* StaffStore
      const logins = yield* LoginStore
      const ids = yield* Ids
      const { run } = yield* UnitOfWork

      const locked = (orgId: string) =>
        Effect.zipRight(
          Effect.mapError(Effect.flatten(orgs.lock(orgId)), () => notFound("org", orgId)),
          staff.list(orgId)
        )

      return StaffMembers.of({
        list: staff.list,
        add: ({ email, name, notify, orgId, role }) =>
          run(Effect.gen(function*() {
            const all = yield* locked(orgId)
            const known = all.find((member) => member.email === email)
            if (known === undefined && all.length >= maxStaff) {
              return yield* invalid(`email: there can be at most ${maxStaff} people; remove one first`)
            }
            if (known !== undefined && role === "staff" && isLastOwner(all, known)) return yield* lastOwner("role")
            const member: StaffMember = {
              id: known?.id ?? ids.uuid(),
              orgId,
              email,
              name: name ?? known?.name ?? "",
              role: role ?? known?.role ?? "staff",
              notify: notify ?? known?.notify ?? true,
              createdAt: known?.createdAt ?? (yield* moment)
            }
            yield* staff.put(member)
            return member
          })),
        remove: ({ email, orgId }) =>
          run(Effect.gen(function*() {
            const all = yield* locked(orgId)
            const member = all.find((member) => member.email === email)
            if (member === undefined) return yield* notFound("member of the staff", email)
            if (all.length > 1 && isLastOwner(all, member)) return yield* lastOwner("email")
            yield* logins.removeOf(member)
            yield* staff.remove(member)
            return member
          }))
      })
    })
  )
}

const isLastOwner = (all: ReadonlyArray<StaffMember>, member: StaffMember): boolean =>
  member.role === "owner" && all.every(({ id, role }) => role !== "owner" || id === member.id)

const lastOwner = (field: string) => invalid(`${field}: there has to be an owner; make somebody else one first`)
