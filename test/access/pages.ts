/** Who is answered by which page: read off the declarations of its route. */
import type { Scope } from "@trailbook/core/actor/Actor"
import { roleScopes } from "@trailbook/core/staff/StaffMember"
import type { AnyRoute } from "@trailbook/http/Route"

/** Who asks for a page, by what they have: except for nobody, all know the address of the booking page. */
export const askers = [
  "nobody",
  "a visitor",
  "a guest",
  "an API key",
  "a token",
  "staff",
  "an owner",
  "another org's owner"
] as const

export type Asker = (typeof askers)[number]

/**
 * `yes`: it is answered. `own`: with what is their own org's. `sign in`: they are sent to do that, or told 401. `no`: 403.
 * `nothing`: there is nothing there, 404.
 */
export type Cell = "yes" | "own" | "sign in" | "no" | "nothing"

export interface Row {
  /** Such as `GET /dashboard/team`. */
  readonly route: string
  readonly scope: Scope
  readonly cells: { readonly [A in Asker]: Cell }
  /** A form that a page of another site sends with the cookies of an owner, or as a guest; undefined for a GET. */
  readonly foreign: "no" | "yes" | undefined
}

/** Parts of paths that are the same word for each org, and no id of something that one of them has. */
const words = new Set(["/dashboard/automations/:automation"])

const ofStaff = ({ path }: AnyRoute, scope: Scope): Row["cells"] => ({
  nobody: "sign in",
  "a visitor": "sign in",
  "a guest": "sign in",
  "an API key": "sign in",
  "a token": "sign in",
  staff: roleScopes.staff.has(scope) ? "yes" : "no",
  "an owner": roleScopes.owner.has(scope) ? "yes" : "no",
  "another org's owner": path.includes("/:") && !words.has(path) ? "nothing" : "own"
})

const all = (cell: Cell): Row["cells"] => ({
  nobody: cell,
  "a visitor": cell,
  "a guest": cell,
  "an API key": cell,
  "a token": cell,
  staff: cell,
  "an owner": cell,
  "another org's owner": cell
})

const cellsOf = (route: AnyRoute, scope: Scope): Row["cells"] => {
  // Whoever has the address of a booking page is a visitor; a booking has an address that its guest was told.
  if (scope === "visit") return { ...all("yes"), nobody: "nothing" }
  if (scope === "guest") return { ...all("nothing"), "a guest": "yes" }
  return ofStaff(route, scope)
}

/** A route whose caller is found out, by whatever its request has. */
export const rowsOf = (routes: ReadonlyArray<AnyRoute>): ReadonlyArray<Row> =>
  routes.flatMap((route): ReadonlyArray<Row> => {
    const { caller, method, path, refuse } = route
    if (caller === "anyone") return []
    const foreign = method === "GET" ? undefined : refuse === undefined ? "yes" : "no"
    return [{ route: `${method} ${path}`, scope: caller.scope, cells: cellsOf(route, caller.scope), foreign }]
  })

/** What asks by itself who somebody is, or does not need to know. */
export const openTo = (routes: ReadonlyArray<AnyRoute>) =>
  routes.filter(({ caller }) => caller === "anyone").filter(({ method, path }, at, open) =>
    open.findIndex((other) => other.method === method && other.path === path) === at
  )
