import type { StaffMember } from "../staff/StaffMember.ts"

/** Returns a lookup of staff emails by ID. It returns an empty string for staff who left. */
export const staffEmailById = (all: ReadonlyArray<StaffMember>): (staffId: string) => string => {
  const emails = new Map(all.map(({ email, id }) => [id, email]))
  return (staffId) => emails.get(staffId) ?? ""
}
