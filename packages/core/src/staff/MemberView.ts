import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { Id, Timestamp } from "../wire/View.ts"
import { roles, type StaffMember } from "./StaffMember.ts"

/**
 * Somebody of the staff, as they are shown.
 *
 * @category schemas
 */
export const MemberView = Schema.Struct({
  id: Id,
  email: Schema.String,
  name: Schema.String,
  role: Schema.Literal(...roles),
  notify: Schema.Boolean,
  created_at: Timestamp
})
export type MemberView = typeof MemberView.Type

/**
 * @category converting
 */
export const memberView = ({ createdAt, email, id, name, notify, role }: StaffMember): MemberView => ({
  id,
  email,
  name,
  role,
  notify,
  created_at: Instant.format(createdAt)
})
