/**
 * The people of an org, as an owner invites, changes and removes them, and what was changed.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { audited, type AuditEntry, auditors } from "../staff/AuditEntry.ts"
import { auditedBy, AuditList } from "../staff/AuditList.ts"
import { MemberView, memberView } from "../staff/MemberView.ts"
import { roles } from "../staff/StaffMember.ts"
import { StaffMembers } from "../staff/StaffMembers.ts"
import * as Instant from "../time/Instant.ts"
import * as Cursor from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { Id, page, Timestamp } from "../wire/View.ts"
import { emailsBy } from "./emailsBy.ts"
import * as PageOperation from "./PageOperation.ts"
import type { Handlers } from "./Registry.ts"

const AuditView = Schema.Struct({
  id: Id,
  at: Timestamp,
  by: Schema.Literal(...auditors),
  by_email: Field.means("empty, where it was nobody of the staff, or they have left", Schema.String),
  what: Schema.Literal(...audited),
  subject: Field.means("the id of what was changed", Schema.String),
  subject_email: Field.means("of a person who is on the staff; else empty", Schema.String),
  name: Field.means("what it is known by: a key's name, a person's role, how somebody signed in", Schema.String)
})

const make = PageOperation.of("staff")
const id = Field.means("the person", Field.uuid)
const name = Field.optional(Field.means("what they are called", Field.text({ max: 200 })))
const role = Field.oneOf(...roles)
const notify = Field.optional(Field.means("whether they get a mail when a guest writes", Field.boolean))

export const staffMembers = make("staff.members", {
  input: Schema.Struct({}),
  output: Schema.Struct({ data: Field.means("oldest first", Schema.Array(MemberView)) })
})

export const staffInvite = make("staff.invite", {
  input: Schema.Struct({
    email: Field.means("where they are mailed a link that signs them in", Field.email),
    role: Field.optional(Field.means("staff when left out", role)),
    name,
    notify
  }),
  output: MemberView,
  refusals: ["not_found"]
})

export const staffChangeMember = make("staff.changeMember", {
  input: Schema.Struct({
    id,
    role: Field.optional(Field.means("the only owner stays one", role)),
    name,
    notify
  }),
  output: MemberView,
  refusals: ["not_found"]
})

export const staffRemoveMember = make("staff.removeMember", {
  input: Schema.Struct({ id }),
  output: MemberView,
  refusals: ["not_found"]
})

export const staffAudit = make("staff.audit", {
  input: Schema.Struct(Field.paging),
  output: page(AuditView)
})

export const memberOperations = [
  staffMembers,
  staffInvite,
  staffChangeMember,
  staffRemoveMember,
  staffAudit
] as const

export const memberHandlers = Effect.gen(function*() {
  const staff = yield* StaffMembers
  const audit = yield* AuditList
  const cursors = Cursor.of("staff.audit")
  return {
    "staff.members": (_, { orgId }) => Effect.map(staff.list(orgId), (all) => ({ data: all.map(memberView) })),
    "staff.invite": (given, actor) =>
      Effect.map(staff.invite({ ...given, orgId: actor.orgId, by: auditedBy(actor) }), memberView),
    "staff.changeMember": (given, actor) =>
      Effect.map(staff.change({ ...given, orgId: actor.orgId, by: auditedBy(actor) }), memberView),
    "staff.removeMember": ({ id }, actor) =>
      Effect.map(staff.remove({ id, orgId: actor.orgId, by: auditedBy(actor) }), memberView),
    "staff.audit": ({ cursor, limit = Cursor.defaultLimit }, { orgId }) =>
      Effect.gen(function*() {
        const before = cursor === undefined ? undefined : yield* cursors.read(cursor)
        const found = yield* audit.page({ orgId, before, limit: limit + 1 })
        const emailOf = emailsBy(yield* staff.list(orgId))
        return cursors.page(found, limit, (entry) => auditView(entry, emailOf), ({ at, id }) => ({ at, id }))
      })
  } satisfies Handlers<typeof memberOperations>
})

const auditView = (
  { at, by, id, name, subject, what }: AuditEntry,
  emailOf: (staffId: string) => string
): typeof AuditView.Type => ({
  id,
  at: Instant.format(at),
  by: auditorOf[by._tag],
  by_email: by._tag === "Staff" ? emailOf(by.staffId) : "",
  what,
  subject,
  subject_email: what.startsWith("member.") ? emailOf(subject) : "",
  name
})

const auditorOf = {
  Staff: "staff",
  Operator: "operator",
  Host: "host",
  Application: "application",
  Service: "service"
} as const satisfies Record<AuditEntry["by"]["_tag"], (typeof auditors)[number]>
