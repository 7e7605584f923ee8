import type { StaffMember } from "../staff/StaffMember.ts"

/** The address of somebody of the staff by their id: empty, when they have left. */
export const staffEmailById = (all: ReadonlyArray<StaffMember>): (staffId: string) => string => {
  const emails = new Map(all.map(({ email, id }) => [id, email]))
  return (staffId) => emails.get(staffId) ?? ""
}
