import type { StaffMember } from "../staff/StaffMember.ts"

/**
 * Returns a function that looks up a staff member's email address by ID. It returns an empty string for a former staff
 * member.
 */
export const makeGetStaffEmail = (all: ReadonlyArray<StaffMember>): (staffId: string) => string => {
  const emails = new Map(all.map(({ email, id }) => [id, email]))
  return (staffId) => emails.get(staffId) ?? ""
}
