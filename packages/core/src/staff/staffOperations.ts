/**
 * Operations that let owners manage approved applications and browser sessions. Each change is recorded in the audit
 * log in the same transaction.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../actor/Actor.ts"
import type { Grant } from "../oauth/Grant.ts"
import { Grants } from "../oauth/Grants.ts"
import { makeGetStaffEmail } from "../operation/getStaffEmail.ts"
import * as PageOperation from "../operation/PageOperation.ts"
import type { Handlers } from "../operation/Registry.ts"
import { uuid } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Id, Timestamp } from "../wire/View.ts"
import { toAuditActor } from "./AuditLog.ts"
import type { StaffSession } from "./sign-in/StaffSession.ts"
import { StaffSessions } from "./sign-in/StaffSessions.ts"
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

const input = Schema.Struct({ id: uuid })
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

export const staffOperations = [staffApplications, staffWithdraw, staffLogins, staffEndLogin] as const

export const staffHandlers = Effect.gen(function*() {
  const grants = yield* Grants
  const logins = yield* StaffSessions
  const staff = yield* StaffMembers
  const loadEmails = ({ orgId }: Actor["Type"]) => Effect.map(staff.list(orgId), makeGetStaffEmail)
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
      Effect.zipWith(logins.end({ orgId: actor.orgId, id, by: toAuditActor(actor) }), loadEmails(actor), loginView)
  } satisfies Handlers<typeof staffOperations>
})

const applicationView = (grant: Grant, getEmail: (staffId: string) => string) =>
  toView(ApplicationView)({ ...grant, approvedBy: getEmail(grant.staffId) })

const loginView = (login: StaffSession, getEmail: (staffId: string) => string) =>
  toView(LoginView)({ ...login, email: getEmail(login.staffId) })
