import * as Schema from "effect/Schema"
import { toView } from "../wire/snakeCase.ts"
import { Id, Timestamp } from "../wire/View.ts"
import { roles, type StaffMember } from "./StaffMember.ts"

/** A staff member, as shown to clients. */
export const MemberView = Schema.Struct({
  id: Id,
  email: Schema.String,
  name: Schema.String,
  role: Schema.Literal(...roles),
  notify: Schema.Boolean,
  created_at: Timestamp
})
export type MemberView = typeof MemberView.Type

export const memberView: (value: StaffMember) => MemberView = toView(MemberView)
