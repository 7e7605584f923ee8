import type { MemberView } from "@trailbook/core/staff/MemberView"

/** What somebody is called: by their address, while they have no name. */
export const memberName = ({ email, name }: Pick<MemberView, "email" | "name">): string => name === "" ? email : name

/** Whether they are the only owner, who stays one. */
export const isOnlyOwner = (all: ReadonlyArray<MemberView>, { id, role }: MemberView): boolean =>
  role === "owner" && all.every((other) => other.role !== "owner" || other.id === id)
