import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

const scope = "staff"
const path = "/dashboard/team"

/**
 * The people of an outfitter, and what was changed about who and what opens it.
 *
 * @category constructors
 */
export const teamRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path, name: "dashboard.team", scope }, () => import("./TeamPage.tsx")),
  ...desk.form({ path: `${path}/invite`, name: "dashboard.invite", scope }, () => import("./InvitePage.tsx")),
  ...desk.form({ path: `${path}/:id`, name: "dashboard.member", scope }, () => import("./MemberPage.tsx")),
  ...desk.form({ path: `${path}/:id/remove`, name: "dashboard.removeMember", scope }, () => import("./RemovePage.tsx")),
  desk.page({ path: "/dashboard/audit", name: "dashboard.audit", scope }, () => import("./AuditPage.tsx"))
]
