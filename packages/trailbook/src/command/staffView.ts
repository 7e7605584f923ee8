import type { StaffMember } from "@trailbook/core/staff/StaffMember"
import * as Instant from "@trailbook/core/time/Instant"

/**
 * Somebody of the staff, as they are shown.
 *
 * @category converting
 */
export const staffView = ({ createdAt, email, id, name, notify, role }: StaffMember) => ({
  id,
  email,
  name,
  role,
  notify,
  created_at: Instant.format(createdAt)
})
