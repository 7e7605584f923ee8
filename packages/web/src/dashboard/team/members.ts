import type { MemberView } from "@trailbook/core/staff/MemberView"

/** Display name of a staff member: the name, or else the email address. */
export const memberName = ({ email, name }: Pick<MemberView, "email" | "name">): string => name === "" ? email : name

/** Returns true for the only owner, whose role cannot be changed. */
export const isOnlyOwner = (all: ReadonlyArray<MemberView>, { id, role }: MemberView): boolean =>
  role === "owner" && all.every((other) => other.role !== "owner" || other.id === id)
