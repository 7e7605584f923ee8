/**
 * Operations that let owners manage staff members, approved applications, and browser sessions, and read the audit log.
 * Each change is recorded in the audit log in the same transaction.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../actor/Actor.ts"
import { ApiKeys } from "../actor/ApiKeys.ts"
import { type Grant, GrantStore } from "../oauth/Grant.ts"
import { Grants } from "../oauth/Grants.ts"
import * as PageOperation from "../operation/PageOperation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import * as Instant from "../time/Instant.ts"
import * as Cursor from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Id, page, Timestamp } from "../wire/View.ts"
import { auditActions, auditActorKinds, type AuditEntry, AuditLog, toAuditActor } from "./AuditLog.ts"
import type { StaffSession } from "./sign-in/StaffSession.ts"
import { StaffSessions } from "./sign-in/StaffSessions.ts"
import { makeGetStaffEmail, StaffMemberView, staffMemberView, staffRoles } from "./StaffMember.ts"
import { StaffMembers } from "./StaffMembers.ts"

const ApplicationView = Schema.Struct({
  id: Id,
  client_id: Schema.String,
  name: Schema.String,
  scopes: Schema.Array(Schema.String),
  personal: Schema.Boolean,
  /** The staff member who approved the application, or an empty string if they have left. */
  approved_by: Schema.String,
  created_at: Timestamp,
  last_used_at: Schema.NullOr(Timestamp)
})

const LoginView = Schema.Struct({
  id: Id,
  email: Schema.String,
  way: Schema.String,
  device: Schema.String,
  created_at: Timestamp,
  last_used_at: Timestamp
})

const input = Schema.Struct({ id: Field.uuid })
const makeOperation = PageOperation.makePageOperations("staff")

export const staffApplications = makeOperation("staff.applications", {
  input: Schema.Struct({}),
  output: Schema.Struct({ data: Schema.Array(ApplicationView) })
})

export const staffWithdraw = makeOperation("staff.withdraw", {
  input,
  output: ApplicationView,
  refusals: ["not_found"]
})

export const staffLogins = makeOperation("staff.logins", {
  input: Schema.Struct({}),
  output: Schema.Struct({ data: Schema.Array(LoginView) })
})

export const staffEndLogin = makeOperation("staff.endLogin", {
  input,
  output: LoginView,
  refusals: ["not_found"]
})

const AuditView = Schema.Struct({
  id: Id,
  at: Timestamp,
  by: Schema.Literal(...auditActorKinds),
  by_email: Field.withDescription(
    "the staff member's email address, or empty for other actors and former staff members",
    Schema.String
  ),
  by_name: Field.withDescription(
    "the API key's name and last four characters, the application's name, or empty for other actors",
    Schema.String
  ),
  what: Schema.Literal(...auditActions),
  subject: Field.withDescription("the changed record's ID, or the automation's name", Schema.String),
  subject_email: Field.withDescription(
    "the affected staff member's email address, or empty if none is affected",
    Schema.String
  ),
  name: Field.withDescription(
    "a key's name, a staff member's role, the sign-in method, a webhook's host, or the changed settings",
    Schema.String
  )
})

const id = Field.withDescription("the staff member", Field.uuid)
const name = Field.describedOptional("the staff member's name", Field.text({ max: 200 }))
const role = Field.oneOf(...staffRoles)
const notify = Field.describedOptional("whether to email the staff member when a guest writes", Field.boolean)

export const staffMembers = makeOperation("staff.members", {
  input: Schema.Struct({}),
  output: Schema.Struct({
    data: Field.withDescription("the staff members, oldest first", Schema.Array(StaffMemberView))
  })
})

export const staffInvite = makeOperation("staff.invite", {
  input: Schema.Struct({
    email: Field.withDescription("the email address for the sign-in link", Field.email),
    role: Field.describedOptional("the role. Default: staff", role),
    name,
    notify
  }),
  output: StaffMemberView,
  refusals: ["not_found"]
})

export const staffChangeMember = makeOperation("staff.changeMember", {
  input: Schema.Struct({
    id,
    role: Field.describedOptional("the new role. The last owner must remain an owner", role),
    name,
    notify
  }),
  output: StaffMemberView,
  refusals: ["not_found"]
})

export const staffRemoveMember = makeOperation("staff.removeMember", {
  input: Schema.Struct({ id }),
  output: StaffMemberView,
  refusals: ["not_found"]
})

export const staffAudit = makeOperation("staff.audit", {
  input: Schema.Struct(Field.paging),
  output: page(AuditView)
})

export const staffOperations = [
  staffApplications,
  staffWithdraw,
  staffLogins,
  staffEndLogin,
  staffMembers,
  staffInvite,
  staffChangeMember,
  staffRemoveMember,
  staffAudit
] as const

export const staffHandlers = Effect.gen(function*() {
  const audit = yield* AuditLog
  const grants = yield* Grants
  const grantStore = yield* GrantStore
  const keys = yield* ApiKeys
  const logins = yield* StaffSessions
  const staff = yield* StaffMembers
  const cursors = Cursor.makeCursors("staff.audit")
  const loadEmails = ({ orgId }: Actor["Type"]) => Effect.map(staff.list(orgId), makeGetStaffEmail)

  /** Returns the names of the API keys and applications on a page. Reads only the lists that the page needs. */
  const loadNames = (orgId: string, entries: ReadonlyArray<AuditEntry>) =>
    Effect.gen(function*() {
      const has = (tag: AuditEntry["by"]["_tag"]) => entries.some(({ by }) => by._tag === tag)
      const names = new Map<string, string>()
      if (has("Key")) { for (const { id, last4, name } of yield* keys.list(orgId)) names.set(id, `${name} …${last4}`) }
      if (has("Application")) { for (const { id, name } of yield* grantStore.list(orgId)) names.set(id, name) }
      return (id: string) => names.get(id) ?? ""
    })

  return {
    "staff.applications": (_, actor) =>
      Effect.zipWith(grants.list(actor.orgId), loadEmails(actor), (all, getEmail) => ({
        data: all.map((grant) => applicationView(grant, getEmail))
      })),
    "staff.withdraw": ({ id }, actor) =>
      Effect.zipWith(
        grants.withdraw({ orgId: actor.orgId, id, by: toAuditActor(actor) }),
        loadEmails(actor),
        applicationView
      ),
    "staff.logins": (_, actor) =>
      Effect.zipWith(logins.list(actor.orgId), loadEmails(actor), (all, getEmail) => ({
        data: all.map((login) => loginView(login, getEmail))
      })),
    "staff.endLogin": ({ id }, actor) =>
      Effect.zipWith(logins.end({ orgId: actor.orgId, id, by: toAuditActor(actor) }), loadEmails(actor), loginView),
    "staff.members": (_, { orgId }) => Effect.map(staff.list(orgId), (all) => ({ data: all.map(staffMemberView) })),
    "staff.invite": (input, actor) =>
      Effect.map(staff.invite({ ...input, orgId: actor.orgId, by: toAuditActor(actor) }), staffMemberView),
    "staff.changeMember": (input, actor) =>
      Effect.map(staff.change({ ...input, orgId: actor.orgId, by: toAuditActor(actor) }), staffMemberView),
    "staff.removeMember": ({ id }, actor) =>
      Effect.map(staff.remove({ id, orgId: actor.orgId, by: toAuditActor(actor) }), staffMemberView),
    "staff.audit": ({ cursor, limit = Cursor.defaultPageSize }, { orgId }) =>
      Effect.gen(function*() {
        const before = cursor === undefined ? undefined : yield* cursors.read(cursor)
        const entries = yield* audit.page({ orgId, before, limit: limit + 1 })
        const getEmail = makeGetStaffEmail(yield* staff.list(orgId))
        const getName = yield* loadNames(orgId, entries)
        return cursors.page(
          entries,
          limit,
          (entry) => auditView(entry, getEmail, getName),
          ({ at, id }) => ({ at, id })
        )
      })
  } satisfies OperationHandlers<typeof staffOperations>
})

const applicationView = (grant: Grant, getEmail: (staffId: string) => string) =>
  makeViewMapper(ApplicationView)({ ...grant, approvedBy: getEmail(grant.staffId) })

const loginView = (login: StaffSession, getEmail: (staffId: string) => string) =>
  makeViewMapper(LoginView)({ ...login, email: getEmail(login.staffId) })

const auditView = (
  { at, by, id, name, subject, what }: AuditEntry,
  getEmail: (staffId: string) => string,
  getName: (id: string) => string
): typeof AuditView.Type => ({
  id,
  at: Instant.format(at),
  by: auditorKinds[by._tag],
  by_email: by._tag === "Staff" ? getEmail(by.staffId) : "",
  by_name: by._tag === "Key" ? getName(by.keyId) : by._tag === "Application" ? getName(by.grantId) : "",
  what,
  subject,
  subject_email: what.startsWith("member.") ? getEmail(subject) : "",
  name
})

const auditorKinds = {
  Staff: "staff",
  Operator: "operator",
  Host: "host",
  Key: "key",
  Application: "application",
  Service: "service"
} as const satisfies Record<AuditEntry["by"]["_tag"], (typeof auditActorKinds)[number]>
