/**
 * Manages an org's staff. Changes lock the org, so that concurrent changes run one at a time, email addresses stay
 * unique, and the staff limit holds. If the last two owners remove each other concurrently, only one removal succeeds.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrgStore } from "../org/Orgs.ts"
import { EventLog } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, notFound, type Refusal } from "../Refusal.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import { type AuditActor, type AuditEntry, AuditLog } from "./AuditLog.ts"
import { PasskeyStore } from "./passkey/Passkey.ts"
import { StaffSessionStore } from "./sign-in/StaffSession.ts"
import { maxStaffMembers, type StaffMember, type StaffRole, StaffStore } from "./StaffMember.ts"

/** The fields that can be changed. */
export interface StaffMemberPatch {
  readonly name?: string | undefined
  readonly role?: StaffRole | undefined
  readonly notify?: boolean | undefined
}

interface AuditedChange {
  readonly by: AuditActor
}
type NewMember = Pick<StaffMember, "orgId" | "email"> & StaffMemberPatch & AuditedChange
type MemberResult = Effect.Effect<StaffMember, Refusal<"not_found" | "invalid_request">>

export class StaffMembers extends Context.Tag("@trailbook/core/StaffMembers")<
  StaffMembers,
  {
    /** Returns an org's staff members, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /**
     * Adds a staff member. If the address already exists, updates only the provided fields of the existing member.
     * `email` must be lowercase. By default, a new member has no name and the `staff` role, and notifications are
     * turned on. The last owner cannot lose the `owner` role.
     */
    readonly add: (input: NewMember) => MemberResult
    /** Adds a new staff member and emails a sign-in link. Fails if a staff member already has the address. */
    readonly invite: (input: NewMember) => MemberResult
    /**
     * Adds or updates a staff member whom the host application vouches for, and sets the role. The last owner keeps the
     * `owner` role.
     */
    readonly addVerified: (
      input: Pick<StaffMember, "orgId" | "email" | "role"> & Pick<StaffMemberPatch, "name">
    ) => MemberResult
    /** Updates only the provided fields of a staff member. The last owner cannot lose the `owner` role. */
    readonly change: (input: Pick<StaffMember, "orgId" | "id"> & StaffMemberPatch & AuditedChange) => MemberResult
    /**
     * Deletes a staff member and all of their sign-in credentials, and returns the deleted record. The last owner can
     * be removed only by the operator, and only if no other staff member exists.
     */
    readonly remove: (
      key: (Pick<StaffMember, "orgId" | "id"> | Pick<StaffMember, "orgId" | "email">) & AuditedChange
    ) => MemberResult
  }
>() {
  static readonly layer = Layer.effect(StaffMembers, Effect.suspend(() => makeStaffMembers))
}

const makeStaffMembers = Effect.gen(function*() {
  const orgs = yield* OrgStore
  const staff = yield* StaffStore
  const logins = yield* StaffSessionStore
  const passkeys = yield* PasskeyStore
  const tasks = yield* TaskStore
  const audit = yield* AuditLog
  const ids = yield* Ids
  const log = yield* EventLog
  const { run } = yield* UnitOfWork

  const lockMembers = (orgId: string) =>
    Effect.zipRight(Effect.flatMap(orgs.lock(orgId), failIfNotFound("org", orgId)), staff.list(orgId))

  /** Audit entries contain the role, but not the name. */
  const auditMember = (by: AuditActor, what: AuditEntry["what"], { id, orgId, role }: StaffMember) =>
    audit.addAndNotify({ orgId, by, what, subject: id, name: role })

  const addMember = ({ by, email, name, notify, orgId, role }: NewMember) =>
    Effect.gen(function*() {
      const member: StaffMember = {
        id: ids.uuid(),
        orgId,
        email,
        name: name ?? "",
        role: role ?? "staff",
        notify: notify ?? true,
        createdAt: yield* currentTime
      }
      yield* staff.put(member)
      yield* auditMember(by, "member.added", member)
      return member
    })

  const changeMember = (
    members: ReadonlyArray<StaffMember>,
    currentMember: StaffMember,
    { name, notify, role }: StaffMemberPatch,
    by: AuditActor
  ) =>
    Effect.gen(function*() {
      if (role === "staff" && isLastOwner(members, currentMember)) return yield* refuseLastOwner("role")
      const member: StaffMember = {
        ...currentMember,
        name: name ?? currentMember.name,
        role: role ?? currentMember.role,
        notify: notify ?? currentMember.notify
      }
      yield* staff.put(member)
      yield* member.role === currentMember.role
        ? log.touch(member.orgId)
        : auditMember(by, "member.changed", member)
      return member
    })

  return StaffMembers.of({
    list: staff.list,
    add: ({ by, ...input }) =>
      run(Effect.gen(function*() {
        const members = yield* lockMembers(input.orgId)
        const existing = members.find(({ email }) => email === input.email)
        if (existing !== undefined) return yield* changeMember(members, existing, input, by)
        return members.length < maxStaffMembers ? yield* addMember({ ...input, by }) : yield* limitReached
      })),
    invite: (input) =>
      run(Effect.gen(function*() {
        const { orgId } = input
        const members = yield* lockMembers(orgId)
        if (members.some(({ email }) => email === input.email)) return yield* emailTaken
        if (members.length >= maxStaffMembers) return yield* limitReached
        const member = yield* addMember(input)
        yield* tasks.add([
          Task.make({
            id: ids.uuid(),
            orgId,
            kind: "mail.invitation",
            subjectId: [member.id, ...input.by._tag === "Staff" ? [input.by.staffId] : []].join(" "),
            dueAt: member.createdAt
          })
        ])
        return member
      })),
    addVerified: ({ email, name, orgId, role }) =>
      Effect.gen(function*() {
        const existing = (yield* staff.list(orgId)).find((member) => member.email === email)
        if (existing?.role === role) return existing
        const storedMember = yield* run(Effect.gen(function*() {
          const members = yield* lockMembers(orgId)
          const member = members.find((one) => one.email === email)
          if (member !== undefined) {
            return isLastOwner(members, member) ? member : yield* changeMember(members, member, { role }, byHost)
          }
          if (members.length >= maxStaffMembers) return yield* limitReached
          return yield* addMember({ orgId, email, role, name, notify: false, by: byHost })
        }))
        return { ...storedMember, role }
      }),
    change: ({ by, id, orgId, ...patch }) =>
      run(Effect.gen(function*() {
        const members = yield* lockMembers(orgId)
        const currentMember = members.find((member) => member.id === id)
        if (currentMember === undefined) return yield* notFound("staff member", id)
        return yield* changeMember(members, currentMember, patch, by)
      })),
    remove: ({ by, orgId, ...key }) =>
      run(Effect.gen(function*() {
        const members = yield* lockMembers(orgId)
        const member = members.find((one) => "id" in key ? one.id === key.id : one.email === key.email)
        if (member === undefined) {
          return yield* notFound("staff member", "id" in key ? key.id : key.email)
        }
        const canRemoveLast = members.length === 1 && by._tag !== "Staff"
        if (!canRemoveLast && isLastOwner(members, member)) {
          return yield* refuseLastOwner("id" in key ? "id" : "email")
        }
        // Removing the passkeys first waits for any concurrent passkey sign-in, so that the session it starts is
        // deleted as well.
        yield* passkeys.removeOf(member)
        yield* logins.removeOf(member)
        yield* staff.remove(member)
        yield* auditMember(by, "member.removed", member)
        return member
      }))
  })
})

const isLastOwner = (members: ReadonlyArray<StaffMember>, member: StaffMember): boolean =>
  member.role === "owner" && members.every(({ id, role }) => role !== "owner" || id === member.id)

const byHost: AuditActor = { _tag: "Host" }

const refuseLastOwner = (field: string) =>
  invalid(`${field}: at least one owner is required. Make another staff member an owner first.`)

const limitReached = invalid(
  `email: at most ${maxStaffMembers} staff members are allowed. Remove a staff member first.`
)

const emailTaken = invalid("email: already belongs to a staff member")
