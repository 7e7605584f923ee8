import { roles, type StaffMember } from "@trailbook/core/staff/StaffMember"
import * as FastCheck from "effect/FastCheck"
import { email } from "./customer.ts"
import { moment } from "./moment.ts"
import { text } from "./text.ts"

/** A staff member without an org. */
export const staffMember: FastCheck.Arbitrary<StaffMember> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  email,
  name: text(120),
  role: FastCheck.constantFrom(...roles),
  notify: FastCheck.boolean(),
  createdAt: moment
})
